package board

import (
	"slices"

	"unicode/utf8"

	"broadside/internal/term"
	"broadside/match"
)

// The signs of cells. Every state has its own, so that nothing is told by
// colour alone; they mean the same on both boards.
const (
	SignNothing = "·" // unknown, or plain sea
	SignMiss    = "○" // a shot into the water
	SignDeduced = "-" // water by deduction, not shot at
	SignHull    = "■" // a ship
	SignHit     = "X" // a ship's cell, hit
	SignSunk    = "#" // a sunk ship
	SignGhost   = "□" // where the ship in hand would lie
	SignWrong   = "!" // where it must not lie
)

// Where ships move, what a shot has told grows old. These are for shots before
// the last three, and for those of long ago.
const (
	SignOlderMiss = "◦"
	SignOldMiss   = "˙"
	SignOlderHit  = "x"
	SignOldHit    = "+"
)

// Nowhere is a cell on no board.
var Nowhere = match.At(-1, -1)

// state is how a cell looks: its sign and its style.
type state struct {
	sign  rune
	style term.Style
}

// with is the state of a sign, which is one character, and an style.
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

// What older shots have told, where ships move: on a chart, and of misses on a
// side's own board.
var (
	olderChart = map[match.Mark][2]state{
		match.Missed: {with(SignOlderMiss, term.MissedOlder), with(SignOldMiss, term.MissedOld)},
		match.Struck: {with(SignOlderHit, term.StruckOlder), with(SignOldHit, term.StruckOld)},
	}
	olderSplash = [2]state{with(SignOlderMiss, term.SplashOlder), with(SignOldMiss, term.SplashOld)}
)

// ageing is how old what a chart knows is, where ships move.
type ageing struct {
	chart   *match.Chart
	blocked match.Set
}

// of is whether a cell was shot at before the last three shots, and if so
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

// Board is what is to be drawn. It is for one goroutine.
type Board struct {
	// Marks on single cells; Nowhere for none.
	Aim   match.Cell // of the cursor; its row and column are emphasised
	Hover match.Cell // of the mouse

	Last []match.Cell // of the shots of the last turn, in order

	// Blocked is the cells of the last shots, into which no ship can move. They
	// are marked as Last is.
	Blocked match.Set

	size  int
	cells []cell
	texts map[match.Cell]string // instead of signs: of three characters
	lines term.Style            // of the grid
}

// cell is what one cell shows. It is small: every frame has hundreds.
type cell struct {
	state
	ship int8 // the number of the ship that it is a part of; 0 for none
	sunk bool
	bow  int8 // 1 more than the heading of the ship whose bow is here; 0 for none
}

func newBoard(size int, lines term.Style, s state) *Board {
	b := &Board{Aim: Nowhere, Hover: Nowhere, size: size, lines: lines, cells: make([]cell, size*size)}
	for i := range b.cells {
		b.cells[i].state = s
	}
	return b
}

// marked reports whether one of the last shots was at a cell.
func (b *Board) marked(at match.Cell) bool {
	return slices.Contains(b.Last, at) || b.Blocked.Has(at)
}

// Size is the number of cells along a side.
func (b *Board) Size() int { return b.size }

func (b *Board) at(x, y int) *cell {
	if x < 0 || y < 0 || x >= b.size || y >= b.size {
		return &offBoard
	}
	return &b.cells[y*b.size+x]
}

// offBoard is never changed.
var offBoard cell

// Set has a cell show a state's sign in an style. An empty sign or a Plain style
// leaves what there is.
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

// bowMarks are the marks of a bow, by what cells say of it.
var bowMarks = [...]string{1 + match.North: "▲", 1 + match.East: "▸", 1 + match.South: "▼", 1 + match.West: "◂"}

// Bows marks where the bows of ships are, of those that are not sunk.
func (b *Board) Bows(fleet match.Layout) {
	for _, ship := range fleet {
		bow := ship.Bow()
		if p := b.at(int(bow.X), int(bow.Y)); ship.Length > 0 && p != &offBoard && !p.sunk {
			p.bow = 1 + int8(ship.Heading)
		}
	}
}

// Write has a cell show a text of three characters.
func (b *Board) Write(c match.Cell, text string, style term.Style) {
	if p := b.at(int(c.X), int(c.Y)); p != &offBoard {
		if b.texts == nil {
			b.texts = map[match.Cell]string{}
		}
		b.texts[c], p.style = text, style
	}
}

// Chart is what a side knows of the other's board. A sunk ship is a hull,
// wherever it is certain which cells were its own.
func Chart(c *match.Chart) *Board {
	b := newBoard(c.Rules.Size, term.ChartLine, chartStates[match.Unknown])
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

// wrecks gives the wrecks on a chart their hulls. Where ships may touch, those
// beside each other might be one or two.
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
}

// Fleet is a side's own board, with what the enemy has done to it and can tell
// of it. Where ships move, their bows are marked.
func Fleet(v *match.View, side match.Side) *Board {
	b := newBoard(v.Rules.Size, term.FleetLine, fleetStates[match.Sea])
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
		p.state = fleetStates[match.Splash] // what was hit there may have gone
		if n, older := ages.of(at); older {
			p.state = olderSplash[n]
		}
	}
	b.launch(v.Fleets[side], func(i, n int, _ match.Cell) bool { return v.Damage[side].Hit(i, n) })
	b.Bows(v.Fleets[side])
	return b
}

// launch puts the ships of a fleet on the board, as shots have left them. Hit
// tells whether segment n of ship i, which lies at a cell, is hit.
func (b *Board) launch(fleet match.Layout, hit func(i, n int, at match.Cell) bool) {
	for i, ship := range fleet {
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

// Blast draws one step, from 0, of a shot that falls on a cell. A hit shakes the
// whole ship if that is known to be sunk.
func (b *Board) Blast(at match.Cell, step int, hit bool) {
	p := b.at(int(at.X), int(at.Y))
	if p == &offBoard || step < 0 || step >= len(blasts) {
		return
	}
	signs := blasts[step]
	if !hit {
		p.sign, p.style = signs.splash, term.Blast
		return
	}
	for i := range b.cells {
		if c := &b.cells[i]; c == p || p.sunk && c.ship == p.ship && step > 0 {
			c.sign = signs.hit
			if step != 1 || c == p {
				c.style = term.Blast
			}
		}
	}
}

// blasts are the signs of a shot that falls.
var blasts = [...]struct{ hit, splash rune }{{'+', '.'}, {'*', 'o'}, {'*', '○'}}

// Plan is a fleet that is being placed. Ships without a length are not placed
// yet; the one in hand, by its index, is drawn as a ghost, and wrong says that
// it must not lie where it does. Without a ship in hand, hand is -1.
func Plan(size int, l match.Layout, hand int, wrong bool) *Board {
	b := newBoard(size, term.FleetLine, fleetStates[match.Sea])
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
			p.state, p.ship = s, 0
		}
	}
	return b
}

// Map is a board to write texts on.
func Map(size int) *Board {
	return newBoard(size, term.ChartLine, chartStates[match.Unknown])
}
