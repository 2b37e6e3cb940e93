//go:build slow

package bots

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"broadside/match"
)

func init() { more = 5 }

// TestStrengthExactly compares mean numbers of shots against uniform fleets with the
// original ones, to ±0.4, and with the goals for commodore. The seeds are fixed.
func TestStrengthExactly(t *testing.T) {
	naval := customRules(t, 10, 10, match.TouchNone)
	const tolerance = 0.4
	for _, c := range []struct {
		bot      string
		rules    match.Rules
		games    int
		from, to float64
	}{
		{"easy", match.Classic(), 5_000, 95.37 - tolerance, 95.37 + tolerance},
		{"easy", match.Hasbro(), 5_000, 95.34 - tolerance, 95.34 + tolerance},
		{"gunner", match.Classic(), 5_000, 66.4 - tolerance, 66.4 + tolerance},
		{"prolog", match.Classic(), 5_000, 53.9 - tolerance, 53.9 + tolerance},
		{"prolog", match.Hasbro(), 5_000, 62.1 - tolerance, 62.1 + tolerance},
		{"medium", match.Classic(), 5_000, 53.6 - tolerance, 53.6 + tolerance},
		{"medium", match.Hasbro(), 5_000, 61.9 - tolerance, 61.9 + tolerance},
		{"hard", match.Classic(), 5_000, 45.6 - tolerance, 45.6 + tolerance},
		{"hard", match.Hasbro(), 5_000, 52.7 - tolerance, 52.7 + tolerance},
		{"commodore", match.Classic(), 2_000, 39, 40.5},
		{"commodore", match.Hasbro(), 1_000, 43, 46.0},
		// Uniform fleets of ten ships that keep apart take longer to draw.
		{"prolog", naval, 1500, 55.8 - tolerance, 55.8 + tolerance},
		{"medium", naval, 1500, 55.6 - tolerance, 55.6 + tolerance},
		{"hard", naval, 1500, 52.8 - tolerance, 52.8 + tolerance},
		{"commodore", naval, 500, 47, 50.2},
	} {
		mean, se := measureShots(t, c.bot, c.rules, c.games)
		t.Logf("%-10s %-8s %6d games  %.2f ± %.2f shots", c.bot, c.rules.Name, c.games, mean, se)
		if mean < c.from || mean > c.to {
			t.Errorf("%s under %s needs %.2f shots, not %.2f to %.2f", c.bot, c.rules.Name, mean, c.from, c.to)
		}
	}
}

// measureShots returns the mean number of shots and its standard error.
func measureShots(t *testing.T, name string, rules match.Rules, games int) (mean, se float64) {
	const parts = 4
	var mu sync.Mutex
	var all sync.WaitGroup
	var sum, squares float64
	for part := range uint64(parts) {
		all.Go(func() {
			fleets := rand.New(rand.NewPCG(77, part))
			choices := rand.New(rand.NewPCG(7, part))
			for range games / parts {
				shots := float64(countShotsToSink(t, rules, newBot(t, name, rules, choices), rules.RandomLayout(fleets)))
				mu.Lock()
				sum, squares = sum+shots, squares+shots*shots
				mu.Unlock()
			}
		})
	}
	all.Wait()
	n := float64(games / parts * parts)
	mean = sum / n
	return mean, math.Sqrt((squares/n - mean*mean) / n)
}

// TestCommodoreIsStrongUnderAllRules compares commodore with hard on small, large, sparse
// and dense boards.
func TestCommodoreIsStrongUnderAllRules(t *testing.T) {
	for _, rules := range []match.Rules{
		customRules(t, 5, 2, match.TouchCorners), customRules(t, 6, 4, match.TouchAny),
		customRules(t, 8, 7, match.TouchCorners), customRules(t, 8, 4, match.TouchNone),
		customRules(t, 10, 7, match.TouchNone), customRules(t, 15, 3, match.TouchCorners),
	} {
		hard, commodore := meanShots(t, "hard", rules, 200), meanShots(t, "commodore", rules, 200)
		t.Logf("%d ships on %d×%d, touching %v: hard %.1f, commodore %.1f", len(rules.Fleet), rules.Size, rules.Size, rules.Contact, hard, commodore)
		if commodore > hard*0.97 {
			t.Errorf("%d ships on %d×%d, touching %v: hard %.1f, commodore %.1f", len(rules.Fleet), rules.Size, rules.Size, rules.Contact, hard, commodore)
		}
	}
}

// TestSalvoStrength compares the shots that bots need with salvos of five with the table in
// docs/bots.md.
func TestSalvoStrength(t *testing.T) {
	for name, want := range map[string]float64{"medium": 73.1, "hard": 60.2, "commodore": 47.3} {
		rng := rand.New(rand.NewPCG(6, 6))
		const games = 1000
		shots := 0
		for range games {
			rules := match.Salvo()
			shots += countSalvos(t, rules, newBot(t, name, rules, rng), rules.RandomLayout(rng), len(rules.Fleet))
		}
		if mean := float64(shots) / games; mean < want-1.5 || mean > want+1.5 {
			t.Errorf("%s needs %.2f shots, expected %.1f", name, mean, want)
		}
	}
}
