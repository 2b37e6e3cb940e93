package match_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"broadside/match"
	"broadside/match/audit"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x5ea)) }

// chaseShot fires next to hits, or else at a random open cell. Games are shorter and reveal
// more per answer.
func chaseShot(chart *match.Chart, rng *rand.Rand) match.Cell {
	open := chart.Open()
	var near match.Set
	for hit := range chart.Hits.All() {
		for h := match.North; h <= match.West; h++ {
			if c := hit.Step(h, 1); open.Has(c) {
				near.Add(c)
			}
		}
	}
	if !near.Empty() {
		open = near
	}
	return open.Nth(rng.IntN(open.Len()))
}

// BenchmarkGame plays whole games between two sides that shoot at random.
func BenchmarkGame(b *testing.B) {
	rules := match.Classic()
	rng := newRand(1)
	var layouts [64]match.Layout
	for i := range layouts {
		layouts[i] = rules.RandomLayout(rng)
	}
	cells := slices.Collect(rules.Board().All())
	var orders [2][]match.Cell
	for i := range orders {
		orders[i] = slices.Clone(cells)
		rng.Shuffle(len(cells), func(x, y int) { orders[i][x], orders[i][y] = orders[i][y], orders[i][x] })
	}
	b.ReportAllocs()
	n, shots := 0, 0
	for b.Loop() {
		g := match.NewGame(rules, audit.Flag)
		apply := func(c match.Command) {
			if _, err := g.Apply(c); err != nil {
				b.Fatal(err)
			}
		}
		apply(match.Place(match.First, layouts[n%64]))
		apply(match.Place(match.Second, layouts[(n+1)%64]))
		n++
		for i := 0; g.Phase() != match.Over; i++ {
			side := match.Side(1 - i%2)
			apply(match.Fire(side, orders[side][i/2]))
			shots++
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(shots), "ns/shot")
}

func BenchmarkRandomLayout(b *testing.B) {
	naval, err := match.Custom(10, 10, match.TouchNone)
	if err != nil {
		b.Fatal(err)
	}
	for _, rules := range []match.Rules{match.Classic(), match.Hasbro(), naval} {
		b.Run(rules.Name, func(b *testing.B) {
			rng := newRand(1)
			for b.Loop() {
				rules.RandomLayout(rng)
			}
		})
	}
}
