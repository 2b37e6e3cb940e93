package bots

import (
	"broadside/match"
)

// sweeper searches the board row by row, as the Prolog system's documentation proposed for
// its successor: first every fourth cell, shifted by one in each row, then every second. It skips cells in gaps that are too small for any ship afloat. It chases ships
// that it has hit.
type sweeper struct {
	chaser
	// start is the first cell's column in the first row, from 0 to 3.
	start int
}

func newSweeper(c Config) *sweeper {
	return &sweeper{chaser: chaser{base{rules: c.Rules, rng: c.Rand}}, start: c.Rand.IntN(4)}
}

// Fire implements [Bot]. It continues the chase or the sweep.
func (b *sweeper) Fire(chart *match.Chart) match.Cell {
	open := openCells(chart)
	next := chaseTargets(chart, open)
	if !next.IsEmpty() {
		return b.pickRandom(next)
	}
	worth := cellsWithRoom(chart, open)
	for _, period := range [...]int{4, 2, 1} {
		for c := range worth.All() {
			if (int(c.X)-int(c.Y)-b.start)%period == 0 {
				return c
			}
		}
	}
	// Only false results lead here.
	return b.pickRandom(open)
}

// cellsWithRoom returns the subset of open where the smallest ship that may be afloat fits. A ship
// may also cover cells that were hit.
func cellsWithRoom(chart *match.Chart, open match.Set) match.Set {
	length := smallestAfloat(chart)
	free := open.Union(chart.Hits)
	size := chart.Rules.Size
	var worth match.Set
	for i := range size {
		// row and column count the consecutive free cells that end here.
		row, column := 0, 0
		for j := range size + 1 {
			row = extendRun(row, j < size && free.Has(match.NewCell(j, i)), length, func(back int) {
				worth.Add(match.NewCell(j-back, i))
			})
			column = extendRun(column, j < size && free.Has(match.NewCell(i, j)), length, func(back int) {
				worth.Add(match.NewCell(i, j-back))
			})
		}
	}
	return worth.Intersect(open)
}

// extendRun returns the length of a run of free cells after one more cell. If that cell ends the
// run and the run is long enough, it calls add for each of its cells with the cell's
// distance back.
func extendRun(sofar int, free bool, enough int, add func(back int)) int {
	if free {
		return sofar + 1
	}
	if sofar >= enough {
		for back := 1; back <= sofar; back++ {
			add(back)
		}
	}
	return 0
}
