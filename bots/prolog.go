package bots

import (
	"slices"

	"broadside/match"
)

// prolog is the artificial player of the original system, which was written in Prolog. It
// shoots at random until it hits. A hit appends its unknown neighbours to a list of open
// cells, in the order west, east, north, south. A second hit beside an earlier one fixes
// the ship's direction, and cells off that line are dropped from the list. While the list
// is not empty, the bot shoots at its first cell and skips cells that have become known. A
// sinking empties the list.
//
// The original did not support fleets whose ships touch. Under such rules, a sinking is
// attributed to the longest straight run of hits through the cell, up to the length of the
// longest ship. When the list is empty, hits outside such runs are listed again.
type prolog struct {
	base
	deck    deck
	random  func(*match.Chart) match.Cell // returns the shot if the list is empty
	list    []match.Cell                  // the open list
	chased  []match.Cell                  // hits since the last sinking
	unknown match.Set                     // cells without an answer
	loose   match.Set                     // hits not explained by a sinking
	stray   int                           // number of loose hits
}

func newProlog(c Config) *prolog {
	b := &prolog{base: base{c.Rules, c.Rand}}
	b.random = b.anywhere
	b.renew()
	return b
}

func (b *prolog) renew() {
	b.deck.fill(&b.rules)
	b.list, b.chased = b.list[:0], b.chased[:0]
	b.unknown, b.loose, b.stray = b.rules.Board(), match.Set{}, 0
}

// Fire implements [Bot]. It returns the first cell of the list that is still unknown, or a
// random one.
func (b *prolog) Fire(chart *match.Chart) match.Cell {
	if next, ok := b.listed(chart); ok {
		return next
	}
	b.chased = b.chased[:0]
	if b.stray > 0 {
		for hit := range b.loose.All() {
			b.append(hit)
		}
		if next, ok := b.listed(chart); ok {
			return next
		}
	}
	return b.random(chart)
}

// anywhere returns a random cell worth a shot.
func (b *prolog) anywhere(chart *match.Chart) match.Cell {
	for {
		cell, ok := b.deck.draw(b.rng)
		if !ok {
			return b.pick(openCells(chart))
		}
		if !chart.Closed(cell) {
			return cell
		}
	}
}

// listed removes and returns the first cell of the list that is still worth a shot.
func (b *prolog) listed(chart *match.Chart) (match.Cell, bool) {
	for i, next := range b.list {
		if !chart.Closed(next) {
			b.list = b.list[:copy(b.list, b.list[i+1:])]
			return next, true
		}
	}
	b.list = b.list[:0]
	return match.Cell{}, false
}

// append adds the unknown neighbours of a hit to the list.
func (b *prolog) append(hit match.Cell) {
	for _, h := range [...]match.Heading{match.West, match.East, match.North, match.South} {
		next := hit.Step(h, 1)
		if b.unknown.Has(next) && !slices.Contains(b.list, next) {
			b.list = append(b.list, next)
		}
	}
}

// OpenList implements [Lister]. It includes cells that have become known and will be
// skipped.
func (b *prolog) OpenList(*match.Chart) ([]match.Cell, bool) { return slices.Clone(b.list), true }

// Observe implements [Bot].
func (b *prolog) Observe(cell match.Cell, r match.Result) {
	if !b.unknown.Has(cell) {
		return
	}
	b.unknown.Remove(cell)
	if r != match.Water {
		b.loose.Add(cell)
		b.stray++
	}
	switch r {
	case match.Hit:
		b.chased = append(b.chased, cell)
		b.append(cell)
		b.keepLine(cell)
	case match.Sunk, match.LastSunk:
		b.forgetRun(cell)
		b.list, b.chased = b.list[:0], b.chased[:0]
	}
}

// keepLine drops the listed cells off the line through cell and an adjacent hit, if there
// is one.
func (b *prolog) keepLine(cell match.Cell) {
	for _, hit := range b.chased {
		dx, dy := hit.X-cell.X, hit.Y-cell.Y
		if dx*dx+dy*dy != 1 {
			continue
		}
		kept := b.list[:0]
		for _, c := range b.list {
			if dx == 0 && c.X == cell.X || dy == 0 && c.Y == cell.Y {
				kept = append(kept, c)
			}
		}
		b.list = kept
		return
	}
}

// forgetRun removes the longest straight run of loose hits through a cell that can be one
// ship.
func (b *prolog) forgetRun(cell match.Cell) {
	var heading match.Heading
	back, length := 0, 0 // cells of the run before cell, and in total
	for _, h := range [...]match.Heading{match.East, match.South} {
		before := b.looseFrom(cell, h.Turn(2))
		if n := before + 1 + b.looseFrom(cell, h); n > length && n <= b.rules.Fleet[0].Length {
			heading, back, length = h, before, n
		}
	}
	for i := range length {
		b.loose.Remove(cell.Step(heading, i-back))
	}
	b.stray -= length
}

// looseFrom counts the consecutive loose hits beyond a cell.
func (b *prolog) looseFrom(cell match.Cell, h match.Heading) int {
	n := 0
	for b.loose.Has(cell.Step(h, n+1)) {
		n++
	}
	return n
}
