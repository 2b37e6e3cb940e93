package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

// simulations is the number of simulated matches for each claim about errors.
const simulations = 2000

// isPlausible reports whether a count of simulations is compatible with a probability of at most p:
// within three standard errors of the binomial distribution.
func isPlausible(count int, p float64) bool {
	return float64(count) <= simulations*p+3*math.Sqrt(simulations*p*(1-p))
}

// simulatePair draws a pair of games between players whose ratings differ by elo. Luck is the share
// of pairs in which the layouts decide both games, so that each player wins one of them if they
// are equal.
func simulatePair(rng *rand.Rand, elo, luck float64) (half int) {
	p := expectedScore(elo)
	if rng.Float64() < luck { // the same layouts, swapped: one point each, or a sweep by the stronger
		q := math.Abs(2*p - 1)
		switch {
		case rng.Float64() >= q:
			return 2
		case p > 0.5:
			return 4
		}
		return 0
	}
	for range 2 {
		if rng.Float64() < p {
			half += 2
		}
	}
	return half
}

// TestSPRTErrorRates plays simulated matches between players of known strength. The test must
// not err more often than stated, even where layouts decide many games.
func TestSPRTErrorRates(t *testing.T) {
	t.Parallel()
	for i, c := range []struct {
		s    SPRT
		luck float64
	}{
		{SPRT{Elo0: 0, Elo1: 40}, 0},
		{SPRT{Elo0: 0, Elo1: 40}, 0.5},
		{SPRT{Elo0: -30, Elo1: 30, Alpha: 0.01, Beta: 0.1}, 0.2},
		{SPRT{Elo0: 0, Elo1: 60, Alpha: 0.1, Beta: 0.02}, 0},
	} {
		rng := rand.New(rand.NewPCG(7, uint64(i)))
		alpha, beta := c.s.Alpha, c.s.Beta
		if alpha == 0 {
			alpha, beta = 0.05, 0.05
		}
		for _, h := range []struct {
			truth float64
			wrong Decision
			rate  float64
		}{{c.s.Elo0, AcceptH1, alpha}, {c.s.Elo1, AcceptH0, beta}} {
			wrong := 0
			for range simulations {
				var p PairCounts
				decision := Undecided
				for decision == Undecided {
					p[simulatePair(rng, h.truth, c.luck)]++
					decision = c.s.Decide(c.s.LogRatio(p))
				}
				if decision == h.wrong {
					wrong++
				}
			}
			t.Logf("%+v, luck %v, truth %v: %d of %d wrong", c.s, c.luck, h.truth, wrong, simulations)
			if !isPlausible(wrong, h.rate) {
				t.Errorf("%+v, luck %v: %d of %d tests err where the truth is %v, stated %v", c.s, c.luck, wrong, simulations, h.truth, h.rate)
			}
		}
	}
}

// TestEloIntervals checks how often the 95% interval of a rating difference misses the truth.
func TestEloIntervals(t *testing.T) {
	t.Parallel()
	for i, c := range []struct{ elo, luck float64 }{{0, 0}, {0, 0.5}, {60, 0}, {60, 0.5}, {200, 0}} {
		rng := rand.New(rand.NewPCG(8, uint64(i)))
		missed := 0
		for range simulations {
			var p PairCounts
			for range 300 {
				p[simulatePair(rng, c.elo, c.luck)]++
			}
			if i, ok := p.ScoreInterval(); !ok || EloDifference(i.Low) > c.elo || EloDifference(i.High) < c.elo {
				missed++
			}
		}
		t.Logf("%v Elo, luck %v: %d of %d intervals miss it", c.elo, c.luck, missed, simulations)
		if !isPlausible(missed, 0.05) || missed < simulations*3/100 { // neither too narrow nor too wide
			t.Errorf("%v Elo, luck %v: %d of %d intervals miss it, stated 5%%", c.elo, c.luck, missed, simulations)
		}
	}
}
