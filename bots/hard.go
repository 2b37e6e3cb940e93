package bots

import (
	"broadside/match"
)

// hard hunts on a grid and chases what it has hit.
//
// While nothing is hit, it shoots at the cells of one diagonal grid: of the
// grids that the smallest ship still afloat cannot slip through, (x+y) mod its
// length, the one with the fewest open cells, ties at random, chosen anew each
// turn.
type hard struct {
	base
	chase
}

func newHard(c Config) *hard {
	return &hard{base: base{c.Rules, c.Rand}}
}

// Fire goes on with the chase, or hunts.
func (b *hard) Fire(chart *match.Chart) match.Cell {
	open := openCells(chart)
	if next := b.candidates(open); !next.Empty() {
		return b.pick(next)
	}
	return b.pick(b.grid(chart, open))
}

// grid is the part of open to hunt in.
func (b *hard) grid(chart *match.Chart, open match.Set) match.Set {
	period := smallestAfloat(chart)
	var grids [len(chart.Afloat)]match.Set
	for c := range open.All() {
		grids[int(c.X+c.Y)%period].Add(c)
	}
	var best match.Set
	fewest, ties := 0, 0
	for _, g := range grids[:period] {
		n := g.Len()
		switch {
		case n == 0:
			continue
		case fewest == 0 || n < fewest:
			best, fewest, ties = g, n, 1
		case n == fewest:
			ties++
			if b.rng.IntN(ties) == 0 {
				best = g
			}
		}
	}
	return best
}

// smallestAfloat is the length of the smallest ship that may still float.
func smallestAfloat(chart *match.Chart) int {
	for length, n := range chart.Afloat {
		if n > 0 {
			return length
		}
	}
	return 1 // the answers contradict the rules: every cell is as good
}
