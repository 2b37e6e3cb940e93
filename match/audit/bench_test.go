package audit_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"broadside/match"
	"broadside/match/audit"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x5ea)) }

// randomShot returns a cell that was not shot at.
func randomShot(chart *match.Chart, rng *rand.Rand) match.Cell {
	left := chart.Rules.Board().Minus(chart.Shots)
	return left.Nth(rng.IntN(left.Len()))
}

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

// BenchmarkAudit follows whole games and reports the cost of one answer.
func BenchmarkAudit(b *testing.B) {
	naval, err := match.Custom(10, 10, match.TouchNone)
	if err != nil {
		b.Fatal(err)
	}
	type shooter = func(*match.Chart, *rand.Rand) match.Cell
	layouts := make([]match.Layout, 50)
	for _, rules := range []match.Rules{match.Classic(), match.Hasbro(), naval} {
		for i := range layouts {
			layouts[i] = rules.RandomLayout(newRand(uint64(i)))
		}
		for name, shoot := range map[string]shooter{"random": randomShot, "chase": chaseShot} {
			b.Run(rules.Name+"/"+name, func(b *testing.B) {
				rng := newRand(1)
				var times []time.Duration
				for range b.N {
					chart := match.NewChart(rules)
					fleet := match.NewFleet(layouts[len(times)%len(layouts)])
					var shots []match.Shot
					for r := match.Water; r != match.LastSunk; {
						cell := shoot(&chart, rng)
						r = fleet.Shoot(cell)
						chart.Record(cell, r)
						shots = append(shots, match.Shot{Cell: cell, Result: r})
					}
					audit := audit.New(rules)
					for _, s := range shots {
						start := time.Now()
						if !audit.Add(s.Cell, s.Result) {
							b.Fatal("a truthful side is accused")
						}
						times = append(times, time.Since(start))
					}
				}
				reportAnswers(b, times)
			})
		}
		// Liars ask for more, each in its own way; here they are together.
		b.Run(rules.Name+"/liars", func(b *testing.B) {
			var times []time.Duration
			undecided := 0
			for seed := range b.N {
				for _, l := range liars() {
					n, took := lie(rules, l, uint64(seed))
					times, undecided = append(times, took...), undecided+n
				}
			}
			reportAnswers(b, times)
			b.ReportMetric(float64(undecided), "undecided")
		})
	}
}

// reportAnswers reports the times of an audit for many answers. The slowest is often one
// that the machine interrupted.
func reportAnswers(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	var sum time.Duration
	for _, t := range times {
		sum += t
	}
	b.ReportMetric(float64(sum)/float64(len(times)), "ns/answer")
	b.ReportMetric(float64(times[len(times)/2]), "median-ns")
	b.ReportMetric(float64(times[len(times)*999/1000]), "p99.9-ns")
	b.ReportMetric(float64(times[len(times)-1]), "max-ns")
	b.ReportMetric(0, "ns/op")
}
