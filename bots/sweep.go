package bots

import (
	"broadside/match"
)

// sweep searches the board row by row, as the documentation of the Prolog system proposed
// for its successor: first every fourth cell, shifted by one in each row, then every
// second. It skips cells in gaps that are too small for any ship afloat. It chases ships
// that it has hit.
type sweep struct {
	chaser
	start int // column of the first cell in the first row, 0 to 3
}

func newSweep(c Config) *sweep {
	return &sweep{chaser: chaser{base{rules: c.Rules, rng: c.Rand}}, start: c.Rand.IntN(4)}
}

// Fire implements [Bot]. It continues the chase or the sweep.
func (b *sweep) Fire(chart *match.Chart) match.Cell {
	open := openCells(chart)
	next := chase(chart, open)
	if !next.IsEmpty() {
		return b.pick(next)
	}
	worth := roomy(chart, open)
	for _, period := range [...]int{4, 2, 1} {
		for c := range worth.All() {
			if (int(c.X)-int(c.Y)-b.start)%period == 0 {
				return c
			}
		}
	}
	return b.pick(open) // reached only after false results
}

// roomy returns the subset of open where the smallest ship that may be afloat fits. A ship
// may also cover cells that were hit.
func roomy(chart *match.Chart, open match.Set) match.Set {
	length := smallestAfloat(chart)
	free := open.Union(chart.Hits)
	size := chart.Rules.Size
	var worth match.Set
	for i := range size {
		row, column := 0, 0 // number of consecutive free cells that end here
		for j := range size + 1 {
			row = run(row, j < size && free.Has(match.NewCell(j, i)), length, func(back int) {
				worth.Add(match.NewCell(j-back, i))
			})
			column = run(column, j < size && free.Has(match.NewCell(i, j)), length, func(back int) {
				worth.Add(match.NewCell(i, j-back))
			})
		}
	}
	return worth.Intersect(open)
}

// run returns the length of a run of free cells after one more cell. If that cell ends the
// run and the run is long enough, it calls add for each of its cells with the cell's
// distance back.
func run(sofar int, free bool, enough int, add func(back int)) int {
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
