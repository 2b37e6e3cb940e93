package bots

import (
	"broadside/bots/infer"
	"broadside/match"
)

const (
	// admiralDraws and commodoreDraws are the sample sizes for a shot.
	admiralDraws, commodoreDraws = 1500, 300
	// admiralHunts is the maximum probability of a wounded ship at which the admiral hunts
	// instead of chasing. It matters if ships may touch.
	admiralHunts = 0.05
	// admiralParity is the extra weight of a cell on the hunting grid. Firing only at the
	// most likely cells would leave gaps in which small ships hide.
	admiralParity = 0.25
	// admiralAfloat is the minimum expected number of ships of a length afloat for that
	// length to determine the grid.
	admiralAfloat = 0.5
)

// admiral fires at the cell most likely to hold a ship, over all layouts that agree with
// every result, weighted by this opponent's habits. While hunting, it prefers the cells of
// a diagonal grid that the smallest ship afloat must cross.
type admiral struct {
	base
	belief *infer.Layouts
}

func newAdmiral(c Config) *admiral {
	return &admiral{base{rules: c.Rules, rng: c.Rand}, infer.NewLayouts(c.Rules, c.Memory, admiralDraws, c.Rand)}
}

// newCommodore returns an admiral with a small sample that ignores its opponent's habits.
func newCommodore(c Config) *admiral {
	return &admiral{base{rules: c.Rules, rng: c.Rand}, infer.NewLayouts(c.Rules, nil, commodoreDraws, c.Rand)}
}

// newAdmiralOrTracker returns the strategy of the bot named admiral: an admiral, or a tracker if ships
// move.
func newAdmiralOrTracker(c Config) shooter {
	if c.Rules.Moving {
		return newTrackerBot(c)
	}
	return newAdmiral(c)
}

// Fire implements [Bot].
func (b *admiral) Fire(chart *match.Chart) match.Cell {
	cell, _ := b.chooseCell(chart)
	return cell
}

// chooseCell returns the best cell and the probability of a ship in each cell, or nil if the
// results contradict each other. Then it forgets them and starts over.
func (b *admiral) chooseCell(chart *match.Chart) (match.Cell, []float64) {
	open := openCells(chart)
	for _, shot := range b.newShots(chart) {
		b.belief.Add(shot.Cell, shot.Result)
	}
	if !b.belief.Update() {
		b.belief.Reset()
		return b.pickRandom(open), nil
	}
	cell, ok := b.bestCell(open)
	if !ok {
		cell = b.pickRandom(open)
	}
	return cell, b.belief.CellOdds()
}

// bestCell returns the open cell with the highest probability of a ship, increased for cells on
// the hunting grid. It returns false if no open cell can hold a ship.
func (b *admiral) bestCell(open match.Set) (best match.Cell, ok bool) {
	grid, period := -1, 1
	if b.belief.WoundedOdds() < admiralHunts {
		grid, period = b.huntingGrid(open)
	}
	most := 0.0
	chances := b.belief.CellOdds()
	for c := range open.All() {
		v := chances[b.cellIndex(c)]
		if int(c.X+c.Y)%period == grid {
			v *= 1 + admiralParity*(1-v)
		}
		if v > most {
			best, most, ok = c, v, true
		}
	}
	return best, ok
}

// huntingGrid returns the diagonal grid to hunt on: the cells where (x+y) mod period is grid. Of
// the grids that the smallest ship afloat must cross, it has the fewest cells that can hold
// a ship.
func (b *admiral) huntingGrid(open match.Set) (grid, period int) {
	period = 1
	for _, length := range b.belief.Lengths() {
		if b.belief.ExpectedAfloat(length) >= admiralAfloat {
			period = length
		}
	}
	chances := b.belief.CellOdds()
	var cells [match.MaxLength]int
	for c := range open.All() {
		if chances[b.cellIndex(c)] > 0 {
			cells[int(c.X+c.Y)%period]++
		}
	}
	for i, n := range cells[:period] {
		if n > 0 && (cells[grid] == 0 || n < cells[grid]) {
			grid = i
		}
	}
	return grid, period
}
