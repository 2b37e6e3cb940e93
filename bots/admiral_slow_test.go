//go:build slow

package bots

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"broadside/bots/infer"
	"broadside/match"
)

// TestAdmiralExactly compares mean numbers of shots against uniform fleets with
// the goals.
func TestAdmiralExactly(t *testing.T) {
	for _, c := range []struct {
		rules match.Rules
		games int
		most  float64
	}{{match.Classic(), 2_000, 40.2}, {match.Hasbro(), 1_500, 45.2}} {
		mean, se := measureShots(t, "admiral", c.rules, c.games)
		t.Logf("%-8s %6d games  %.2f ± %.2f shots", c.rules.Name, c.games, mean, se)
		if mean > c.most {
			t.Errorf("admiral needs %.2f shots under %s, not %.2f", mean, c.rules.Name, c.most)
		}
	}
}

// TestSeries plays series of games against opponents with habits, and against
// some without. Each admiral sees the opponent's layout after each game.
func TestSeries(t *testing.T) {
	rules := match.Classic()
	for _, c := range []struct {
		name      string
		opponents int
		games     int
		// from is the first game that counts, from 1.
		from int
		// most is the maximum mean number of shots from then on.
		most float64
	}{
		{"one layout", 30, 6, 2, 17},
		{"one of three layouts", 40, 16, 11, 18},
		{"edges", 40, 16, 11, 34},
		{"uniform", 60, 30, 2, 40.3},
	} {
		var mu sync.Mutex
		var all sync.WaitGroup
		sums, squares := make([]float64, c.games), make([]float64, c.games)
		for part := range 2 {
			all.Go(func() {
				for o := part; o < c.opponents; o += 2 {
					shots := playSeries(t, rules, c.games, uint64(o), habitualPlacement(t, c.name, rules, uint64(o)))
					mu.Lock()
					for g, n := range shots {
						sums[g] += float64(n)
						squares[g] += float64(n * n)
					}
					mu.Unlock()
				}
			})
		}
		all.Wait()
		mean := func(from, to int) (float64, float64) {
			sum, square, n := 0.0, 0.0, float64(c.opponents*(to-from+1))
			for g := from - 1; g < to; g++ {
				sum, square = sum+sums[g], square+squares[g]
			}
			return sum / n, math.Sqrt((square/n - sum/n*sum/n) / n)
		}
		for _, r := range [][2]int{{1, 1}, {2, 2}, {3, 5}, {6, 10}, {11, 16}, {17, 30}} {
			if r[1] = min(r[1], c.games); r[0] <= r[1] {
				m, se := mean(r[0], r[1])
				t.Logf("%-20s games %2d to %2d: %.2f ± %.2f", c.name, r[0], r[1], m, se)
			}
		}
		if m, se := mean(c.from, c.games); m > c.most {
			t.Errorf("%s: %.2f ± %.2f shots from game %d on, not %.2f", c.name, m, se, c.from, c.most)
		}
	}
}

// habitualPlacement returns an opponent with its own way of placing fleets.
func habitualPlacement(t *testing.T, name string, rules match.Rules, seed uint64) func() match.Layout {
	rng := rand.New(rand.NewPCG(seed, 33))
	some := []match.Layout{rules.RandomLayout(rng), rules.RandomLayout(rng), rules.RandomLayout(rng)}
	switch name {
	case "one layout":
		return func() match.Layout { return some[0] }
	case "one of three layouts":
		return func() match.Layout { return some[rng.IntN(3)] }
	}
	return newPlacementFunc(t, name, rules, rng)
}

// TestResistCostsMost compares placements against an admiral without memories of the
// opponent.
func TestResistCostsMost(t *testing.T) {
	rules := match.Classic()
	const games = 400
	for _, way := range []string{"uniform", "edges", "resist"} {
		sum := 0
		for g := range uint64(games) {
			layout := newPlacementFunc(t, way, rules, rand.New(rand.NewPCG(g, 1)))()
			sum += countShotsToSink(t, rules, newBot(t, "admiral", rules, rand.New(rand.NewPCG(g, 2))), layout)
		}
		t.Logf("%s: %.2f shots", way, float64(sum)/games)
		if way != "uniform" && float64(sum)/games < 42 {
			t.Errorf("%s costs an admiral only %.2f shots", way, float64(sum)/games)
		}
	}
}

// TestResistAgainstUnknownOpponent lets a strong bot fire at fleets of both placements.
func TestResistAgainstUnknownOpponent(t *testing.T) {
	rules := match.Classic()
	const games = 400
	var mean [2]float64
	for i, way := range []string{"uniform", "resist"} {
		for g := range uint64(games) {
			layout := newPlacementFunc(t, way, rules, rand.New(rand.NewPCG(g, 1)))()
			if err := rules.CheckLayout(layout); err != nil {
				t.Fatal(err)
			}
			bot := newBot(t, "commodore", rules, rand.New(rand.NewPCG(g, 2)))
			mean[i] += float64(countShotsToSink(t, rules, bot, layout)) / games
		}
	}
	t.Logf("commodore needs %.1f shots, with resist %.1f", mean[0], mean[1])
	if mean[1] < mean[0]+2 {
		t.Errorf("commodore needs %.1f shots, with resist %.1f", mean[0], mean[1])
	}
}

// TestGlimpses shows the admiral only the hit cells of an opponent who always uses one
// layout.
func TestGlimpses(t *testing.T) {
	rules := match.Classic()
	plain, glimpsed := 0, 0
	for seed := range uint64(10) {
		rng := rand.New(rand.NewPCG(seed, 9))
		layout := rules.RandomLayout(rng)
		m := infer.NewMemory(rules)
		for range 5 {
			m.Learn(infer.Game{Struck: layout.Cells()})
		}
		for _, memory := range []*infer.Memory{nil, m} {
			bot, err := New("admiral", Config{Rules: rules, Rand: rng, Memory: memory})
			if err != nil {
				t.Fatal(err)
			}
			n := countShotsToSink(t, rules, bot, layout)
			if memory == nil {
				plain += n
			} else {
				glimpsed += n
			}
		}
	}
	t.Logf("%.1f shots, after glimpses %.1f", float64(plain)/10, float64(glimpsed)/10)
	if glimpsed > plain-10*5 {
		t.Errorf("%d shots after glimpses, %d without", glimpsed, plain)
	}
}

// newPlacementFunc returns an opponent with one of the built-in placements.
func newPlacementFunc(t testing.TB, name string, rules match.Rules, rng *rand.Rand) func() match.Layout {
	t.Helper()
	place, err := newPlacement(Config{Placement: name, Rules: rules, Rand: rng})
	if err != nil {
		t.Fatal(err)
	}
	return place
}
