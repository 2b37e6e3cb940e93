package bots

import (
	"broadside/match"
)

// hard hunts on a grid and chases ships that it has hit.
//
// While it hunts, it fires at the cells of a diagonal grid that the smallest ship afloat
// must cross: a class of x+y or of x-y modulo the ship's length. In each turn it chooses
// the grid with the fewest open cells. Ties are broken at random.
type hard struct {
	chaser
}

func newHard(c Config) *hard {
	return &hard{chaser{base{rules: c.Rules, rng: c.Rand}}}
}

// Fire implements [Bot]. It continues the chase or hunts.
func (b *hard) Fire(chart *match.Chart) match.Cell {
	open := openCells(chart)
	next := chaseTargets(chart, open)
	if !next.IsEmpty() {
		return b.pickRandom(next)
	}
	return b.pickRandom(b.huntingGrid(chart, open))
}

// huntingGrid returns the subset of open to hunt in.
func (b *hard) huntingGrid(chart *match.Chart, open match.Set) match.Set {
	period := smallestAfloat(chart)
	// rising has the cells by x+y, and falling by x-y.
	var rising, falling [len(chart.Afloat)]match.Set
	for c := range open.All() {
		rising[int(c.X+c.Y)%period].Add(c)
		falling[(int(c.X-c.Y)+match.MaxSize*period)%period].Add(c)
	}
	grids := rising[:period:period]
	if period > 2 {
		// For a period of 2, both diagonals have the same chessboard colours.
		grids = append(grids, falling[:period]...)
	}
	var best match.Set
	fewest, ties := 0, 0
	for _, g := range grids {
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

// smallestAfloat returns the length of the smallest ship that may be afloat, or 1 if the
// results contradict the rules.
func smallestAfloat(chart *match.Chart) int {
	for length, n := range chart.Afloat {
		if n > 0 {
			return length
		}
	}
	return 1
}
