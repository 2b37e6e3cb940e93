package audit_test

import (
	"math/rand/v2"

	"broadside/match"
)

// randomShot returns a cell that was not fired at.
func randomShot(chart *match.Chart, rng *rand.Rand) match.Cell {
	left := chart.Rules.Cells().Minus(chart.Shots)
	return left.Nth(rng.IntN(left.Len()))
}

// chaseShot fires next to hits, or else at a random open cell. This makes games shorter, and each
// result reveals more.
func chaseShot(chart *match.Chart, rng *rand.Rand) match.Cell {
	open := chart.OpenCells()
	var near match.Set
	for hit := range chart.Hits.All() {
		for h := match.North; h <= match.West; h++ {
			if c := hit.Step(h, 1); open.Has(c) {
				near.Add(c)
			}
		}
	}
	if !near.IsEmpty() {
		open = near
	}
	return open.Nth(rng.IntN(open.Len()))
}
