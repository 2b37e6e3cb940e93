package bots

import (
	"broadside/match"
)

// newBranch returns a strategy that fires at points far apart and then repeatedly at the
// points that halve the gaps, starting in a random corner. It is one of the original
// system's search orders (base structure and branches).
func newBranch(c Config) *orderedSearch {
	order := branchOrder(c.Rules.Size, c.Rand.IntN(8))
	return &orderedSearch{base: base{rules: c.Rules, rng: c.Rand}, order: order}
}

// branchOrder returns the order that starts in one of the corners; see mirrorCell.
func branchOrder(size, mirror int) []match.Cell {
	gap := 1
	for 2*gap < size {
		gap *= 2
	}
	var order []match.Cell
	var taken match.Set
	// points appends the points of a square grid that have not been added yet.
	points := func(from, gap int) {
		for y := from; y < size; y += gap {
			for x := from; x < size; x += gap {
				c := mirrorCell(size, x, y, mirror)
				if !taken.Has(c) {
					taken.Add(c)
					order = append(order, c)
				}
			}
		}
	}
	points(0, gap)
	for ; gap > 1; gap /= 2 {
		// These are the squares' centres.
		points(gap/2, gap)
		// These are the midpoints of their sides.
		points(0, gap/2)
	}
	return order
}
