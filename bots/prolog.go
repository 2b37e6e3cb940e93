package bots

import (
	"slices"

	"broadside/match"
)

// prolog is the artificial player of the original system, which was written in Prolog. It
// fires at random until it hits. A hit appends its unknown neighbours to a list of open
// cells, in the order west, east, north, south. A second hit beside an earlier one fixes
// the ship's direction, and cells off that line are dropped from the list. While the list
// is not empty, the bot fires at its first cell and skips cells that have become known. A
// sinking empties the list.
//
// The original did not support fleets whose ships touch, nor salvos. Under such rules, when
// the list is empty, hits on ships afloat are listed again.
type prolog struct {
	base
	openList []match.Cell
	// chased has the hits since the last sinking.
	chased []match.Cell
}

func newProlog(c Config) *prolog { return &prolog{base: base{rules: c.Rules, rng: c.Rand}} }

// Fire implements [Bot]. It returns the first cell of the list that is still unknown, or a
// random one.
func (b *prolog) Fire(chart *match.Chart) match.Cell {
	if next, ok := b.nextListed(chart); ok {
		return next
	}
	return b.pickRandom(openCells(chart))
}

// nextListed returns the first cell of the list that is still unknown, or false if there is none.
func (b *prolog) nextListed(chart *match.Chart) (match.Cell, bool) {
	b.observeNewShots(chart)
	if next, ok := b.popListed(chart); ok {
		return next, true
	}
	b.chased = b.chased[:0]
	for hit := range hitsAfloat(chart).All() {
		b.listNeighbours(chart, hit)
	}
	return b.popListed(chart)
}

// popListed removes and returns the first cell of the list that is still worth a shot.
func (b *prolog) popListed(chart *match.Chart) (match.Cell, bool) {
	for i, next := range b.openList {
		if !chart.Shots.Has(next) && !chart.Deduced.Has(next) {
			b.openList = b.openList[:copy(b.openList, b.openList[i+1:])]
			return next, true
		}
	}
	b.openList = b.openList[:0]
	return match.Cell{}, false
}

// listNeighbours adds the unknown neighbours of a hit to the list.
func (b *prolog) listNeighbours(chart *match.Chart, hit match.Cell) {
	for _, h := range [...]match.Heading{match.West, match.East, match.North, match.South} {
		next := hit.Step(h, 1)
		if b.rules.Contains(next) && !chart.Shots.Has(next) && !slices.Contains(b.openList, next) {
			b.openList = append(b.openList, next)
		}
	}
}

// OpenList implements [Lister]. It includes cells that have become known and will be
// skipped.
func (b *prolog) OpenList(chart *match.Chart) ([]match.Cell, bool) {
	b.observeNewShots(chart)
	return slices.Clone(b.openList), true
}

// observeNewShots takes the results of new shots into the list.
func (b *prolog) observeNewShots(chart *match.Chart) {
	for _, shot := range b.newShots(chart) {
		b.observe(chart, shot)
	}
}

func (b *prolog) observe(chart *match.Chart, shot match.Shot) {
	switch shot.Result {
	case match.Hit:
		b.chased = append(b.chased, shot.Cell)
		b.listNeighbours(chart, shot.Cell)
		b.dropCellsOffLine(shot.Cell)
	case match.Sunk, match.LastSunk:
		b.openList, b.chased = b.openList[:0], b.chased[:0]
	}
}

// dropCellsOffLine drops the listed cells off the line through cell and an adjacent hit, if there
// is one.
func (b *prolog) dropCellsOffLine(cell match.Cell) {
	for _, hit := range b.chased {
		dx, dy := hit.X-cell.X, hit.Y-cell.Y
		if dx*dx+dy*dy != 1 {
			continue
		}
		kept := b.openList[:0]
		for _, c := range b.openList {
			if dx == 0 && c.X == cell.X || dy == 0 && c.Y == cell.Y {
				kept = append(kept, c)
			}
		}
		b.openList = kept
		return
	}
}
