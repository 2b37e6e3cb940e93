package bots

import (
	"math/rand/v2"
	"slices"

	"broadside/match"
)

// prolog is the artificial player of the original system, written in Prolog
// there. It shoots at random until it hits. A hit appends the unknown
// neighbours to a list of open cells, in the order west, east, north, south;
// once a hit beside an earlier one has fixed the ship's direction, cells off
// that line are dropped from the list. While the list is not empty, its first
// cell is shot at next. A sinking empties it.
type prolog struct {
	base
	random func(match.Set) match.Cell // the pick where the list has nothing
	open   []match.Cell
	ship   []match.Cell // the hits on the ship that is being chased
	known  match.Set    // cells with an answer, and water around sunk ships
}

func newProlog(rules match.Rules, rng *rand.Rand) Bot {
	b := &prolog{base: base{rules, rng}}
	b.random = b.pick
	return b
}

func (b *prolog) Fire(chart *match.Chart) match.Cell {
	open := chart.Open()
	if next, ok := b.listed(open); ok {
		return next
	}
	// Only where ships may touch, hits are left that no sinking has explained.
	b.ship = nil
	for hit := range chart.Hits.All() {
		b.list(hit)
	}
	if next, ok := b.listed(open); ok {
		return next
	}
	return b.random(open)
}

// listed takes the first cell off the list that is still open.
func (b *prolog) listed(open match.Set) (match.Cell, bool) {
	for len(b.open) > 0 {
		next := b.open[0]
		b.open = b.open[1:]
		if open.Has(next) {
			return next, true
		}
	}
	return match.Cell{}, false
}

// list appends the unknown neighbours of a hit to the list.
func (b *prolog) list(hit match.Cell) {
	for _, h := range [...]match.Heading{match.West, match.East, match.North, match.South} {
		next := hit.Step(h, 1)
		if b.rules.Contains(next) && !b.known.Has(next) && !slices.Contains(b.open, next) {
			b.open = append(b.open, next)
		}
	}
}

func (b *prolog) Told(cell match.Cell, r match.Result) {
	b.known.Add(cell)
	switch r {
	case match.Hit:
		b.ship = append(b.ship, cell)
		b.list(cell)
		b.keepLine(cell)
	case match.Sunk, match.LastSunk:
		b.open, b.ship = nil, nil
	}
}

// keepLine drops the listed cells off the line through cell and a hit beside
// it, if there is one.
func (b *prolog) keepLine(cell match.Cell) {
	for _, hit := range b.ship {
		dx, dy := hit.X-cell.X, hit.Y-cell.Y
		if dx*dx+dy*dy != 1 {
			continue
		}
		b.open = slices.DeleteFunc(b.open, func(c match.Cell) bool {
			return dx == 0 && c.X != cell.X || dy == 0 && c.Y != cell.Y
		})
		return
	}
}
