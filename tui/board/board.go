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

// newState returns the state for a one-character symbol and a style.
func newState(sign string, style term.Style) state {
	r, _ := utf8.DecodeRuneInString(sign)
	return state{r, style}
}

// states are the appearances of cells, by their berths and ages.
type states [match.HullSunk + 1][match.Old + 1]state

// constantStates returns the states of a berth that looks the same at every age.
func constantStates(sign string, style term.Style) [match.Old + 1]state {
	s := newState(sign, style)
	return [match.Old + 1]state{s, s, s}
}

var chartStates = states{
	match.Sea:        constantStates(SignNothing, term.Unknown),
	match.SeaMiss:    {newState(SignMiss, term.Missed), newState(SignOlderMiss, term.MissedOlder), newState(SignOldMiss, term.MissedOld)},
	match.SeaDeduced: constantStates(SignDeduced, term.Deduced),
	match.HullHit:    {newState(SignHit, term.Struck), newState(SignOlderHit, term.StruckOlder), newState(SignOldHit, term.StruckOld)},
	match.HullSunk:   constantStates(SignSunk, term.Wrecked),
}

var fleetStates = states{
	match.Sea:        constantStates(SignNothing, term.Sea),
	match.SeaMiss:    {newState(SignMiss, term.Splash), newState(SignOlderMiss, term.SplashOlder), newState(SignOldMiss, term.SplashOld)},
	match.SeaDeduced: constantStates(SignDeduced, term.Spared),
	match.Hull:       constantStates(SignHull, term.Hull),
	match.HullHit:    constantStates(SignHit, term.HullHit),
	match.HullSunk:   constantStates(SignSunk, term.HullSunk),
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

// newSquares returns a board of squares.
func newSquares(of match.Board, water colour.Name, look *states) *Board {
	b := &Board{Aim: Nowhere, Hover: Nowhere, size: of.Size, water: water, cells: make([]cell, len(of.Squares))}
	for i, s := range of.Squares {
		b.cells[i] = cell{state: look[s.State][s.Age], ship: s.Ship, sunk: s.Ship > 0 && s.State == match.HullSunk, part: s.Part}
	}
	return b
}

// Size returns the number of cells along a side.
func (b *Board) Size() int { return b.size }

func (b *Board) cellAt(x, y int) *cell {
	if x < 0 || y < 0 || x >= b.size || y >= b.size {
		return &outsideCell
	}
	return &b.cells[y*b.size+x]
}

// outsideCell must not be modified.
var outsideCell cell

// SetSymbol sets the symbol and style of a cell. An empty symbol or the Plain style leaves
// the current one unchanged.
func (b *Board) SetSymbol(c match.Cell, sign string, style term.Style) {
	p := b.cellAt(int(c.X), int(c.Y))
	if p == &outsideCell {
		return
	}
	if sign != "" {
		p.sign = newState(sign, style).sign
	}
	if style != term.Plain {
		p.style = style
	}
}

// SetText sets the text of a cell, which must have three characters.
func (b *Board) SetText(c match.Cell, text string, style term.Style) {
	p := b.cellAt(int(c.X), int(c.Y))
	if p != &outsideCell {
		if b.texts == nil {
			b.texts = map[match.Cell]string{}
		}
		b.texts[c], p.style = text, style
	}
}

// NewChart returns the board of a side's chart of the enemy's fleet. A sunk ship has a
// hull if its cells are certain.
func NewChart(c *match.Chart) *Board { return newSquares(c.Board(), colour.Sea, &chartStates) }

// NewFleet returns a side's own board, with the enemy's shots.
func NewFleet(v *match.View, side match.Side) *Board {
	b := newSquares(v.Board(side), colour.Own, &fleetStates)
	if v.Fleets[side] != nil {
		b.Blocked = v.Charts[side.Other()].BlockedCells()
	}
	return b
}

// NewPlacement returns the board of a fleet that is being placed. Ships without a length are
// not placed yet. The selected ship, with index hand, is drawn as a ghost; wrong marks
// its position as invalid. If no ship is selected, hand is -1.
func NewPlacement(r match.Rules, l match.Layout, hand int, wrong bool) *Board {
	var ghost match.Set
	if hand >= 0 && hand < len(l) { // drawn last, above the others
		ghost = l[hand].Cells()
		l = append(slices.Delete(slices.Clone(l), hand, hand+1), l[hand])
	}
	chart := match.NewChart(r)
	b := NewFleet(&match.View{Rules: r, Charts: [2]match.Chart{chart, chart}, Fleets: [2]match.Layout{l}}, match.First)
	s := newState(SignGhost, term.Ghost)
	if wrong {
		s = newState(SignWrong, term.Wrong)
	}
	for at := range ghost.All() {
		b.cellAt(int(at.X), int(at.Y)).state = s
	}
	return b
}
