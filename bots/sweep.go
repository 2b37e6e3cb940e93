package bots

import "broadside/match"

// sweep goes through the board row by row, as the documentation of the system
// in Prolog proposed for its successor: first every fourth cell, shifted by
// one each row, then every second. It skips cells in gaps that are too small
// for any ship still afloat. What it hits it chases.
type sweep struct {
	base
	chase
	start int // where the first row begins, 0 to 3
}

func newSweep(c Config) *sweep {
	return &sweep{base: base{c.Rules, c.Rand}, start: c.Rand.IntN(4)}
}

// Fire goes on with the chase, or with the sweep.
func (b *sweep) Fire(chart *match.Chart) match.Cell {
	open := openCells(chart)
	if next := b.candidates(open); !next.Empty() {
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
	return b.pick(open) // only answers that are not true lead here
}

// roomy is the part of open where the smallest ship that may still float finds
// room, lying east or south. A ship may also cover cells that were hit.
func roomy(chart *match.Chart, open match.Set) match.Set {
	length := smallestAfloat(chart)
	free := open.Union(chart.Hits)
	var worth match.Set
	for _, h := range [...]match.Heading{match.East, match.South} {
		for stern := range free.All() {
			cells := match.Ship{Stern: stern, Heading: h, Length: length}.Cells()
			if cells.Len() == length && cells.Within(&free) {
				worth = worth.Union(cells)
			}
		}
	}
	return worth.Intersect(open)
}
