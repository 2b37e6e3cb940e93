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
// The original did not support fleets whose ships touch, nor salvos. Under such rules, when
// the list is empty, hits on ships afloat are listed again.
type prolog struct {
	base
	list   []match.Cell // the open list
	chased []match.Cell // hits since the last sinking
}

func newProlog(c Config) *prolog { return &prolog{base: base{rules: c.Rules, rng: c.Rand}} }

// Fire implements [Bot]. It returns the first cell of the list that is still unknown, or a
// random one.
func (b *prolog) Fire(chart *match.Chart) match.Cell {
	if next, ok := b.next(chart); ok {
		return next
	}
	return b.pick(openCells(chart))
}

// next returns the first cell of the list that is still unknown, or false if there is none.
func (b *prolog) next(chart *match.Chart) (match.Cell, bool) {
	b.update(chart)
	if next, ok := b.listed(chart); ok {
		return next, true
	}
	b.chased = b.chased[:0]
	for hit := range hitsAfloat(chart).All() {
		b.append(chart, hit)
	}
	return b.listed(chart)
}

// listed removes and returns the first cell of the list that is still worth a shot.
func (b *prolog) listed(chart *match.Chart) (match.Cell, bool) {
	for i, next := range b.list {
		if !chart.Shots.Has(next) && !chart.Deduced.Has(next) {
			b.list = b.list[:copy(b.list, b.list[i+1:])]
			return next, true
		}
	}
	b.list = b.list[:0]
	return match.Cell{}, false
}

// append adds the unknown neighbours of a hit to the list.
func (b *prolog) append(chart *match.Chart, hit match.Cell) {
	for _, h := range [...]match.Heading{match.West, match.East, match.North, match.South} {
		next := hit.Step(h, 1)
		if b.rules.Contains(next) && !chart.Shots.Has(next) && !slices.Contains(b.list, next) {
			b.list = append(b.list, next)
		}
	}
}

// OpenList implements [Lister]. It includes cells that have become known and will be
// skipped.
func (b *prolog) OpenList(chart *match.Chart) ([]match.Cell, bool) {
	b.update(chart)
	return slices.Clone(b.list), true
}

// update takes the results of new shots into the list.
func (b *prolog) update(chart *match.Chart) {
	for _, shot := range b.newShots(chart) {
		b.observe(chart, shot)
	}
}

func (b *prolog) observe(chart *match.Chart, shot match.Shot) {
	switch shot.Result {
	case match.Hit:
		b.chased = append(b.chased, shot.Cell)
		b.append(chart, shot.Cell)
		b.keepLine(shot.Cell)
	case match.Sunk, match.LastSunk:
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
