package bots

import (
	"broadside/match"
)

func init() {
	register(80, Info{Name: "hard", About: "in-a-pattern-that-the"}, plain(newHard))
}

// hard hunts on a grid and chases what it has hit.
//
// While nothing is hit, it shoots at the cells of one diagonal grid. The grids
// are those that the smallest ship still afloat cannot slip through: the classes
// of x+y and of x-y modulo its length. Each turn it chooses the grid with the
// fewest open cells, ties at random.
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

// grid returns the part of open to hunt in.
func (b *hard) grid(chart *match.Chart, open match.Set) match.Set {
	period := smallestAfloat(chart)
	var rising, falling [len(chart.Afloat)]match.Set // by x+y and by x-y
	for c := range open.All() {
		rising[int(c.X+c.Y)%period].Add(c)
		falling[(int(c.X-c.Y)+match.MaxSize*period)%period].Add(c)
	}
	grids := rising[:period:period]
	if period > 2 { // the colours of a chessboard are the same along both diagonals
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

// smallestAfloat returns the length of the smallest ship that may still float.
func smallestAfloat(chart *match.Chart) int {
	for length, n := range chart.Afloat {
		if n > 0 {
			return length
		}
	}
	return 1 // the answers contradict the rules: every cell is as good
}
