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
	// SignNothing is unknown or open water.
	SignNothing = "~"
	SignMiss    = "○"
	SignDeduced = "·"
	SignHull    = "■"
	SignHit     = "X"
	SignSunk    = "#"
	// SignGhost is the selected ship's position, or SignWrong if it is invalid.
	SignGhost = "□"
	SignWrong = "!"
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

// symbol is a character in a cell, with its style.
type symbol struct {
	sign  rune
	style term.Style
}

// newSymbol returns a symbol with the only character of sign.
func newSymbol(sign string, style term.Style) symbol {
	r, _ := utf8.DecodeRuneInString(sign)
	return symbol{r, style}
}

// symbols are the symbols of cells by their states and ages.
type symbols [match.HullSunk + 1][match.Old + 1]symbol

// constantSymbols returns the symbols of a state that looks the same at every age.
func constantSymbols(sign string, style term.Style) [match.Old + 1]symbol {
	s := newSymbol(sign, style)
	return [match.Old + 1]symbol{s, s, s}
}

func missSymbols(recent, older, old term.Style) [match.Old + 1]symbol {
	return [match.Old + 1]symbol{newSymbol(SignMiss, recent), newSymbol(SignOlderMiss, older), newSymbol(SignOldMiss, old)}
}

var chartSymbols = symbols{
	match.Sea:        constantSymbols(SignNothing, term.Unknown),
	match.SeaMiss:    missSymbols(term.Missed, term.MissedOlder, term.MissedOld),
	match.SeaDeduced: constantSymbols(SignDeduced, term.Deduced),
	match.HullHit: {
		newSymbol(SignHit, term.Struck), newSymbol(SignOlderHit, term.StruckOlder), newSymbol(SignOldHit, term.StruckOld),
	},
	match.HullSunk: constantSymbols(SignSunk, term.Wrecked),
}

var fleetSymbols = symbols{
	match.Sea:        constantSymbols(SignNothing, term.Sea),
	match.SeaMiss:    missSymbols(term.Splash, term.SplashOlder, term.SplashOld),
	match.SeaDeduced: constantSymbols(SignDeduced, term.Spared),
	match.Hull:       constantSymbols(SignHull, term.Hull),
	match.HullHit:    constantSymbols(SignHit, term.HullHit),
	match.HullSunk:   constantSymbols(SignSunk, term.HullSunk),
}

// Board is a board to draw. It is not safe for concurrent use.
type Board struct {
	// Aim is the cursor's cell, or Nowhere. Its row and column are highlighted.
	Aim match.Cell
	// Hover is the cell under the mouse pointer, or Nowhere.
	Hover match.Cell
	// LastShots are the last turn's shots, in order.
	LastShots []match.Cell
	// Blocked contains the cells of recent shots that no ship may move into. They are marked like LastShots.
	Blocked match.Set

	size  int
	cells []cell
	// texts have three characters, in place of symbols.
	texts map[match.Cell]string
	// waterBase is the water's darkest tone.
	waterBase colour.Name
}

// cell has the content of one cell. It is small because every frame has hundreds.
type cell struct {
	symbol
	// ship is the number, from 1, of the ship that covers the cell. It is 0 if there is none.
	ship int8
	sunk bool
	part match.Part

	// tileFlash and waterTint are colours of an animation, or None.
	tileFlash, waterTint colour.Name
}

func newBoard(source match.Board, waterBase colour.Name, all *symbols) *Board {
	b := &Board{Aim: Nowhere, Hover: Nowhere, size: source.Size, waterBase: waterBase}
	for _, s := range source.Squares {
		sunk := s.Ship > 0 && s.State == match.HullSunk
		b.cells = append(b.cells, cell{symbol: all[s.State][s.Age], ship: s.Ship, sunk: sunk, part: s.Part})
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
		p.sign = newSymbol(sign, style).sign
	}
	if style != term.Plain {
		p.style = style
	}
}

// SetText sets a cell's text, which must have three characters.
func (b *Board) SetText(c match.Cell, text string, style term.Style) {
	p := b.cellAt(int(c.X), int(c.Y))
	if p != &outsideCell {
		if b.texts == nil {
			b.texts = map[match.Cell]string{}
		}
		b.texts[c], p.style = text, style
	}
}

// NewChart returns the board of a side's chart of the enemy's fleet. A sunk ship has a hull if its cells are
// certain.
func NewChart(c *match.Chart) *Board { return newBoard(c.Board(), colour.Sea, &chartSymbols) }

// NewAimedChart is NewChart with the cursor, or [Nowhere], and with the last turn's shots marked.
func NewAimedChart(c *match.Chart, aim match.Cell, last ...match.Shot) *Board {
	b := NewChart(c)
	b.Aim = aim
	b.markLastShots(last)
	return b
}

// NewFleet returns a side's own board, with the enemy's shots.
func NewFleet(v *match.View, side match.Side) *Board {
	b := newBoard(v.Board(side), colour.Own, &fleetSymbols)
	if v.Fleets[side] != nil {
		b.Blocked = v.Charts[side.Other()].BlockedCells()
	}
	return b
}

// NewFleetWithLastShots returns a side's own board, with the enemy's shots. Those of the last turn are marked.
func NewFleetWithLastShots(v *match.View, side match.Side) *Board {
	b := NewFleet(v, side)
	b.markLastShots(v.Last[side.Other()])
	return b
}

// markLastShots marks a turn's shots. A shot without a number has not been fired.
func (b *Board) markLastShots(shots []match.Shot) {
	for _, shot := range shots {
		if shot.Number > 0 {
			b.LastShots = append(b.LastShots, shot.Cell)
		}
	}
}

// NewPlacement returns the board of a fleet that is being placed. Ships without a length are not placed yet. The
// ship with index selected, if it is not negative, is drawn as a ghost. invalid marks its position as invalid.
func NewPlacement(r match.Rules, l match.Layout, selected int, invalid bool) *Board {
	var ghost match.Set
	if selected >= 0 && selected < len(l) {
		ghost = l[selected].Cells()
		// The ghost is drawn last, above the others.
		l = append(slices.Delete(slices.Clone(l), selected, selected+1), l[selected])
	}
	chart := match.NewChart(r)
	b := NewFleet(&match.View{Rules: r, Charts: [2]match.Chart{chart, chart}, Fleets: [2]match.Layout{l}}, match.First)
	s := newSymbol(SignGhost, term.Ghost)
	if invalid {
		s = newSymbol(SignWrong, term.Wrong)
	}
	for at := range ghost.All() {
		b.cellAt(int(at.X), int(at.Y)).symbol = s
	}
	return b
}
