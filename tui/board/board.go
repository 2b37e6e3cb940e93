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
var Nowhere = match.At(-1, -1)

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

var chartStates = [...]state{
	match.Unknown: with(SignNothing, term.Unknown),
	match.Missed:  with(SignMiss, term.Missed),
	match.Deduced: with(SignDeduced, term.Deduced),
	match.Struck:  with(SignHit, term.Struck),
	match.Wrecked: with(SignSunk, term.Wrecked),
}

var fleetStates = [...]state{
	match.Sea:      with(SignNothing, term.Sea),
	match.Splash:   with(SignMiss, term.Splash),
	match.Hull:     with(SignHull, term.Hull),
	match.HullHit:  with(SignHit, term.HullHit),
	match.HullSunk: with(SignSunk, term.HullSunk),
}

var spared = with(SignDeduced, term.Spared)

// States for older shots where ships move: on a chart, and for misses on a side's own
// board.
var (
	olderChart = map[match.Mark][2]state{
		match.Missed: {with(SignOlderMiss, term.MissedOlder), with(SignOldMiss, term.MissedOld)},
		match.Struck: {with(SignOlderHit, term.StruckOlder), with(SignOldHit, term.StruckOld)},
	}
	olderSplash = [2]state{with(SignOlderMiss, term.SplashOlder), with(SignOldMiss, term.SplashOld)}
)

// ageing tracks the age of a chart's information where ships move.
type ageing struct {
	chart   *match.Chart
	blocked match.Set
}

// of reports whether a cell was shot at before the last three shots. If so, i says
// whether that was long ago.
func (a *ageing) of(c match.Cell) (i int, older bool) {
	if !a.chart.Rules.Moving || a.blocked.Has(c) {
		return 0, false
	}
	if a.chart.Age(c) >= match.LongAgo {
		i = 1
	}
	return i, true
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
	bow  int8 // 1 + the heading of the ship whose bow is here; 0 for none
	part section

	// Colours of an animation, or None.
	flash colour.Name // of the tile
	tint  colour.Name // of the water
}

func newBoard(size int, water colour.Name, s state) *Board {
	b := &Board{Aim: Nowhere, Hover: Nowhere, size: size, water: water, cells: make([]cell, size*size)}
	for i := range b.cells {
		b.cells[i].state = s
	}
	return b
}

// marked reports whether one of the last shots was at a cell.
func (b *Board) marked(at match.Cell) bool {
	return slices.Contains(b.Last, at) || b.Blocked.Has(at)
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

// bowMarks maps [cell].bow to the symbol of the bow.
var bowMarks = [...]string{1 + match.North: "▲", 1 + match.East: "▸", 1 + match.South: "▼", 1 + match.West: "◂"}

// Bows shows which end of each ship is the bow, and marks the bows of those afloat.
func (b *Board) Bows(fleet match.Layout) {
	for _, ship := range fleet {
		b.build(ship)
		bow := ship.Bow()
		if p := b.at(int(bow.X), int(bow.Y)); ship.Length > 0 && p != &offBoard && !p.sunk {
			p.bow = 1 + int8(ship.Heading)
		}
	}
}

// Write sets the text of a cell, which must have three characters.
func (b *Board) Write(c match.Cell, text string, style term.Style) {
	if p := b.at(int(c.X), int(c.Y)); p != &offBoard {
		if b.texts == nil {
			b.texts = map[match.Cell]string{}
		}
		b.texts[c], p.style = text, style
	}
}

// Chart returns the board of a side's chart of the enemy's fleet. A sunk ship has a
// hull if its cells are certain.
func Chart(c *match.Chart) *Board {
	b := newBoard(c.Rules.Size, colour.Sea, chartStates[match.Unknown])
	ages := ageing{c, c.Blocked()}
	for i := range b.cells {
		at := match.At(i%b.size, i/b.size)
		mark := c.At(at)
		b.cells[i].state = chartStates[mark]
		if old, ok := olderChart[mark]; ok {
			if n, older := ages.of(at); older {
				b.cells[i].state = old[n]
			}
		}
	}
	b.wrecks(c)
	return b
}

// wrecks adds the hulls of sunk ships on a chart. Where ships may touch, adjacent
// wrecks could be one ship or two.
func (b *Board) wrecks(c *match.Chart) {
	if c.Rules.Contact == match.TouchAny {
		return
	}
	n := int8(0)
	for at := range c.Sunk.All() {
		p := b.at(int(at.X), int(at.Y))
		if left := b.at(int(at.X)-1, int(at.Y)); left.ship > 0 {
			p.ship = left.ship
		} else if up := b.at(int(at.X), int(at.Y)-1); up.ship > 0 {
			p.ship = up.ship
		} else {
			n++
			p.ship = n
		}
		p.sunk = true
	}
	for at := range c.Sunk.All() {
		x, y := int(at.X), int(at.Y)
		p := b.at(x, y)
		same := func(dx, dy int) bool { return b.at(x+dx, y+dy).ship == p.ship }
		if same(0, -1) || same(0, 1) {
			p.part = section{match.North, !same(0, 1), !same(0, -1)}
		} else {
			p.part = section{match.East, !same(-1, 0), !same(1, 0)}
		}
	}
}

// build records the sections of a ship.
func (b *Board) build(ship match.Ship) {
	for n := range ship.Length {
		at := ship.Stern.Step(ship.Heading, n)
		if p := b.at(int(at.X), int(at.Y)); p != &offBoard {
			p.part = section{ship.Heading, n == 0, n == ship.Length-1}
		}
	}
}

// Fleet returns a side's own board, with the enemy's shots. Where ships move, their
// bows are marked.
func Fleet(v *match.View, side match.Side) *Board {
	b := newBoard(v.Rules.Size, colour.Own, fleetStates[match.Sea])
	enemy := &v.Charts[side.Other()]
	for i := range b.cells {
		p, at := &b.cells[i], match.At(i%b.size, i/b.size)
		switch enemy.At(at) {
		case match.Wrecked:
			p.state = fleetStates[match.HullSunk]
		case match.Struck:
			p.state = fleetStates[match.HullHit]
		case match.Missed:
			p.state = fleetStates[match.Splash]
		case match.Deduced:
			p.state = spared
		}
	}
	if v.Fleets[side] == nil {
		b.wrecks(enemy)
		return b
	}
	if !v.Rules.Moving {
		b.launch(v.Fleets[side], func(_, _ int, at match.Cell) bool { return enemy.Shots.Has(at) })
		return b
	}
	b.Blocked = enemy.Blocked()
	ages := ageing{enemy, b.Blocked}
	for at := range enemy.Shots.Minus(enemy.Sunk).All() {
		p := b.at(int(at.X), int(at.Y))
		p.state = fleetStates[match.Splash] // a ship that was hit there may have moved
		if n, older := ages.of(at); older {
			p.state = olderSplash[n]
		}
	}
	b.launch(v.Fleets[side], func(i, n int, _ match.Cell) bool { return v.Damage[side].Hit(i, n) })
	b.Bows(v.Fleets[side])
	return b
}

// launch adds the ships of a fleet, with their hits. Hit reports whether segment n of
// ship i, at a cell, was hit.
func (b *Board) launch(fleet match.Layout, hit func(i, n int, at match.Cell) bool) {
	for i, ship := range fleet {
		b.build(ship.HeadNorthOrEast())
		sunk := ship.Length > 0
		for n := range ship.Length {
			sunk = sunk && hit(i, n, ship.Stern.Step(ship.Heading, n))
		}
		for n := range ship.Length {
			at := ship.Stern.Step(ship.Heading, n)
			p := b.at(int(at.X), int(at.Y))
			if p == &offBoard {
				continue
			}
			p.ship, p.sunk = int8(i+1), sunk
			switch {
			case sunk:
				p.state = fleetStates[match.HullSunk]
			case hit(i, n, at):
				p.state = fleetStates[match.HullHit]
			default:
				p.state = fleetStates[match.Hull]
			}
		}
	}
}

// Plan returns the board of a fleet that is being placed. Ships without a length are
// not placed yet. The selected ship, with index hand, is drawn as a ghost; wrong marks
// its position as invalid. If no ship is selected, hand is -1.
func Plan(size int, l match.Layout, hand int, wrong bool) *Board {
	b := newBoard(size, colour.Own, fleetStates[match.Sea])
	placed := append(match.Layout(nil), l...)
	if hand >= 0 && hand < len(l) {
		placed[hand] = match.Ship{}
	}
	b.launch(placed, func(int, int, match.Cell) bool { return false })
	if hand < 0 || hand >= len(l) {
		return b
	}
	s := with(SignGhost, term.Ghost)
	if wrong {
		s = with(SignWrong, term.Wrong)
	}
	for at := range l[hand].Cells().All() {
		if p := b.at(int(at.X), int(at.Y)); p != &offBoard {
			p.state, p.ship = s, int8(hand+1)
		}
	}
	b.build(l[hand].HeadNorthOrEast())
	return b
}

// Map returns an empty board for text.
func Map(size int) *Board {
	return newBoard(size, colour.Sea, chartStates[match.Unknown])
}
