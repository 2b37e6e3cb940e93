package match_test

import (
	"math/rand/v2"

	"broadside/match"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x5ea)) }

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
