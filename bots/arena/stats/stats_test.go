package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

func isNear(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

func TestElo(t *testing.T) {
	for _, c := range []struct{ score, elo float64 }{{0.5, 0}, {10.0 / 11, 400}, {0.76, 200.24}, {0.36, -99.95}} {
		if got := EloDifference(c.score); !isNear(got, c.elo, 0.01) {
			t.Errorf("a score of %v is %v Elo, want %v", c.score, got, c.elo)
		}
		if got := expectedScore(c.elo); !isNear(got, c.score, 0.0001) {
			t.Errorf("%v Elo are a score of %v, want %v", c.elo, got, c.score)
		}
	}
	if !math.IsInf(EloDifference(1), 1) || !math.IsInf(EloDifference(0), -1) {
		t.Errorf("won or lost everything: %v, %v", EloDifference(1), EloDifference(0))
	}
}

func TestSpread(t *testing.T) {
	var c Counts
	for v := 1; v <= 100; v++ {
		c.Add(v)
	}
	// The standard deviation of 1 to 100 is √(100·101/12).
	want := Spread{Mean: 50.5, SE: math.Sqrt(100*101/12.0) / 10, Median: 50, P95: 95, Max: 100}
	if got := c.Spread(); !isNear(got.SE, want.SE, 1e-9) || got.Mean != want.Mean || got.Median != want.Median || got.P95 != want.P95 || got.Max != want.Max {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := (Counts)(nil).Spread(); got != (Spread{}) {
		t.Errorf("nothing spreads: %+v", got)
	}
}

// TestPairsCountNotGames checks that games that only the layouts decide do not count as
// evidence about the players.
func TestPairsCountNotGames(t *testing.T) {
	even := PairCounts{0, 0, 100, 0, 0} // each won one game of each pair
	wild := PairCounts{50, 0, 0, 0, 50}
	a, _ := even.ScoreInterval()
	b, _ := wild.ScoreInterval()
	if a.Value != 0.5 || b.Value != 0.5 || b.High-b.Low < (a.High-a.Low)*0.99 {
		t.Errorf("%+v and %+v", a, b)
	}
	if _, ok := (PairCounts{}).ScoreInterval(); ok {
		t.Error("an interval from nothing")
	}
	all := PairCounts{0, 0, 0, 0, 100}
	if i, _ := all.ScoreInterval(); i.Value != 1 || i.High != 1 || i.Low < 0.9 || i.Low > 0.99 {
		t.Errorf("all won: %+v", i)
	}
	if s := all.Superiority(); s < 0.999 {
		t.Errorf("all won: superior with %v", s)
	}
	if s := even.Superiority(); !isNear(s, 0.5, 1e-9) {
		t.Errorf("all shared: superior with %v", s)
	}
}

// TestSPRTWaits checks that a few misleading results do not decide a test.
func TestSPRTWaits(t *testing.T) {
	s := &SPRT{Elo0: 0, Elo1: 10}
	for _, p := range []PairCounts{{}, {0, 0, 1, 0, 0}, {0, 0, 5, 0, 0}, {0, 0, 0, 0, 3}, {3, 0, 0, 0, 0}} {
		if r := s.LogRatio(p); s.Decide(r) != Undecided {
			t.Errorf("%v decides, with a ratio of %v", p, r)
		}
	}
	for _, bad := range []SPRT{{Elo0: 10, Elo1: 0}, {Elo0: 5, Elo1: 5}, {Elo0: math.NaN(), Elo1: 1}, {Elo0: 0, Elo1: math.Inf(1)}, {Elo1: 5, Alpha: 0.5}, {Elo1: 5, Beta: -1}} {
		if bad.Validate() == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

// TestRatings checks the ratings of three players with the results that are likely for these ratings.
func TestRatings(t *testing.T) {
	truth := map[string]float64{"a": 150, "b": 0, "c": -150}
	players := []string{"a", "b", "c"}
	rng := rand.New(rand.NewPCG(5, 6))
	var pairings []Pairing
	for i, a := range players {
		for _, b := range players[i+1:] {
			p := Pairing{Players: [2]string{a, b}}
			for range 5000 {
				half := 0
				for range 2 {
					winner := 0
					if rng.Float64() > expectedScore(truth[a]-truth[b]) {
						winner = 1
					}
					half += 2 * (1 - winner)
					p.Points[winner]++
					p.Games++
				}
				p.Pairs[half]++
			}
			pairings = append(pairings, p)
		}
	}
	for _, r := range RatePlayers(players, pairings, 1) {
		want := truth[r.Bot]
		if !isNear(r.Elo, want, 10) || r.Low > want || r.High < want {
			t.Errorf("%s is rated %.1f (%.1f to %.1f), the truth is %v", r.Bot, r.Elo, r.Low, r.High, want)
		}
		if r.High-r.Low < 2 || r.High-r.Low > 20 || r.Games != 20000 {
			t.Errorf("got rating %+v", r)
		}
	}
	if got := RatePlayers(players, pairings[:0], 1); len(got) != 3 || got[0].Elo != 0 {
		t.Errorf("ratings without games: %+v", got)
	}
}
