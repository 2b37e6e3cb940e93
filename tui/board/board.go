package board

import (
	"slices"
	"unicode/utf8"

	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/term/colour"
)

// Cell symbols. Each state has its own, so that colour is never the only cue. They mean
// the same on both boards.
const (
	SignNothing = "~" // unknown, or open water
	SignMiss    = "○" // a shot into the water
	SignDeduced = "·" // water by deduction
	SignHull    = "■" // a ship
	SignHit     = "X" // a ship's cell that was hit
	SignSunk    = "#" // a sunk ship
	SignGhost   = "□" // position of the selected ship
	SignWrong   = "!" // invalid position of the selected ship
)

// Symbols for older information where ships move. The first ones are for shots before
// the last three, the others for much older shots.
const (
	SignOlderMiss = "◦"
	SignOldMiss   = "˙"
	SignOlderHit  = "x"
	SignOldHit    = "+"
)

// Nowhere is a cell outside every board.
var Nowhere = match.NewCell(-1, -1)

// state is the appearance of a cell: its symbol and style.
type state struct {
	sign  rune
	style term.Style
}

// with returns the state for a one-character symbol and a style.
func with(sign string, style term.Style) state {
	r, _ := utf8.DecodeRuneInString(sign)
	return state{r, style}
}

// states are the appearances of cells, by their berths and ages.
type states [match.HullSunk + 1][match.Old + 1]state

// always returns the states of a berth that looks the same at every age.
func always(sign string, style term.Style) [match.Old + 1]state {
	s := with(sign, style)
	return [match.Old + 1]state{s, s, s}
}

var chartStates = states{
	match.Sea:      always(SignNothing, term.Unknown),
	match.Splash:   {with(SignMiss, term.Missed), with(SignOlderMiss, term.MissedOlder), with(SignOldMiss, term.MissedOld)},
	match.Clear:    always(SignDeduced, term.Deduced),
	match.HullHit:  {with(SignHit, term.Struck), with(SignOlderHit, term.StruckOlder), with(SignOldHit, term.StruckOld)},
	match.HullSunk: always(SignSunk, term.Wrecked),
}

var fleetStates = states{
	match.Sea:      always(SignNothing, term.Sea),
	match.Splash:   {with(SignMiss, term.Splash), with(SignOlderMiss, term.SplashOlder), with(SignOldMiss, term.SplashOld)},
	match.Clear:    always(SignDeduced, term.Spared),
	match.Hull:     always(SignHull, term.Hull),
	match.HullHit:  always(SignHit, term.HullHit),
	match.HullSunk: always(SignSunk, term.HullSunk),
}

// Board is a board to draw. It is not safe for concurrent use.
type Board struct {
	// Marked cells; Nowhere for none.
	Aim   match.Cell // of the cursor; its row and column are highlighted
	Hover match.Cell // under the mouse pointer

	Last []match.Cell // shots of the last turn, in order

	// Blocked contains the cells of recent shots that no ship may move into. They are
	// marked like Last.
	Blocked match.Set

	size  int
	cells []cell
	texts map[match.Cell]string // three characters, in place of symbols
	water colour.Name           // its lowest tone
}

// cell is the content of one cell. It is kept small because every frame has hundreds.
type cell struct {
	state
	ship int8 // number of the ship on this cell; 0 for none
	sunk bool
	part match.Part

	// Colours of an animation, or None.
	flash colour.Name // of the tile
	tint  colour.Name // of the water
}

// newBoard returns a board of squares.
func newBoard(of match.Board, water colour.Name, look *states) *Board {
	b := &Board{Aim: Nowhere, Hover: Nowhere, size: of.Size, water: water, cells: make([]cell, len(of.Squares))}
	for i, s := range of.Squares {
		b.cells[i] = cell{state: look[s.Berth][s.Age], ship: s.Ship, sunk: s.Ship > 0 && s.Berth == match.HullSunk, part: s.Part}
	}
	return b
}

// Size returns the number of cells along a side.
func (b *Board) Size() int { return b.size }

func (b *Board) at(x, y int) *cell {
	if x < 0 || y < 0 || x >= b.size || y >= b.size {
		return &offBoard
	}
	return &b.cells[y*b.size+x]
}

// offBoard must not be modified.
var offBoard cell

// Set sets the symbol and style of a cell. An empty symbol or the Plain style leaves
// the current one unchanged.
func (b *Board) Set(c match.Cell, sign string, style term.Style) {
	p := b.at(int(c.X), int(c.Y))
	if p == &offBoard {
		return
	}
	if sign != "" {
		p.sign = with(sign, style).sign
	}
	if style != term.Plain {
		p.style = style
	}
}

// Write sets the text of a cell, which must have three characters.
func (b *Board) Write(c match.Cell, text string, style term.Style) {
	p := b.at(int(c.X), int(c.Y))
	if p != &offBoard {
		if b.texts == nil {
			b.texts = map[match.Cell]string{}
		}
		b.texts[c], p.style = text, style
	}
}

// Chart returns the board of a side's chart of the enemy's fleet. A sunk ship has a
// hull if its cells are certain.
func Chart(c *match.Chart) *Board { return newBoard(c.Board(), colour.Sea, &chartStates) }

// Fleet returns a side's own board, with the enemy's shots.
func Fleet(v *match.View, side match.Side) *Board {
	b := newBoard(v.Board(side), colour.Own, &fleetStates)
	if v.Fleets[side] != nil {
		b.Blocked = v.Charts[side.Other()].Blocked()
	}
	return b
}

// Plan returns the board of a fleet that is being placed. Ships without a length are
// not placed yet. The selected ship, with index hand, is drawn as a ghost; wrong marks
// its position as invalid. If no ship is selected, hand is -1.
func Plan(r match.Rules, l match.Layout, hand int, wrong bool) *Board {
	var ghost match.Set
	if hand >= 0 && hand < len(l) { // drawn last, above the others
		ghost = l[hand].Cells()
		l = append(slices.Delete(slices.Clone(l), hand, hand+1), l[hand])
	}
	chart := match.NewChart(r)
	b := Fleet(&match.View{Rules: r, Charts: [2]match.Chart{chart, chart}, Fleets: [2]match.Layout{l}}, match.First)
	s := with(SignGhost, term.Ghost)
	if wrong {
		s = with(SignWrong, term.Wrong)
	}
	for at := range ghost.All() {
		b.at(int(at.X), int(at.Y)).state = s
	}
	return b
}
