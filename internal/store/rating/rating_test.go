package rating_test

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"broadside/internal/store/rating"
)

func checkNear(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// TestPublishedExample compares all values of the paper's example.
func TestPublishedExample(t *testing.T) {
	got := rating.RateResults(rating.Rating{Value: 1500, Deviation: 200, Volatility: 0.06}, []rating.Result{
		{Opponent: rating.Rating{Value: 1400, Deviation: 30, Volatility: 0.06}, Score: 1},
		{Opponent: rating.Rating{Value: 1550, Deviation: 100, Volatility: 0.06}, Score: 0},
		{Opponent: rating.Rating{Value: 1700, Deviation: 300, Volatility: 0.06}, Score: 0},
	})
	checkNear(t, "value", got.Value, 1464.06, 0.01)
	checkNear(t, "deviation", got.Deviation, 151.52, 0.01)
	checkNear(t, "volatility", got.Volatility, 0.05999, 0.00001)
}

func TestTimeWithoutMatches(t *testing.T) {
	r := rating.Rating{Value: 1800, Deviation: 60, Volatility: 0.06}
	year := 365 * 24 * time.Hour
	checkNear(t, "deviation after a year", r.AfterIdle(year).Deviation, 116, 1)
	if got := r.AfterIdle(1000 * 24 * time.Hour * 100); got.Deviation != rating.New().Deviation {
		t.Errorf("after 270 years the deviation is %v, want that of a new player", got.Deviation)
	}
	if got := r.AfterIdle(-time.Hour); got != r {
		t.Errorf("a clock set back changed %v to %v", r, got)
	}
	halves := r.AfterIdle(year / 2).AfterIdle(year / 2)
	checkNear(t, "deviation after two halves of a year", halves.Deviation, r.AfterIdle(year).Deviation, 1e-9)
	// Results count for more after a long absence.
	fresh, _ := rating.RateMatch(r, r, 0, 0, 1)
	rusty, _ := rating.RateMatch(r, r, year, 0, 1)
	if rusty.Value <= fresh.Value {
		t.Errorf("a win after a year gives %v, one at once %v", rusty.Value, fresh.Value)
	}
}

// TestSettledAgainstProvisional checks that a match against a provisional player changes only that
// player's rating, also if the rating has become provisional by long absence.
func TestSettledAgainstProvisional(t *testing.T) {
	settled := rating.Rating{Value: 1800, Deviation: 110, Volatility: 0.06}
	rusty := rating.Rating{Value: 1500, Deviation: 100, Volatility: 0.06}
	for _, newcomer := range []rating.Rating{rating.New(), {Value: 1600, Deviation: 110.5, Volatility: 0.06}} {
		for _, score := range []float64{0, 1} {
			a, b := rating.RateMatch(settled, newcomer, 0, 0, score)
			if a != settled {
				t.Errorf("against %v, %v became %v, want no change", newcomer, settled, a)
			}
			if b.Value == newcomer.Value || b.Deviation >= newcomer.Deviation {
				t.Errorf("against %v, %v became %v, want another value and a smaller deviation", settled, newcomer, b)
			}
		}
	}
	year := 365 * 24 * time.Hour
	if a, b := rating.RateMatch(settled, rusty, 0, year, 0); a != settled || b.Value <= rusty.Value {
		t.Errorf("a rating that was settled a year ago: got %v and %v, want only the second to change", a, b)
	}
	if a, b := rating.RateMatch(settled, rusty, 0, 0, 0); a.Value >= settled.Value || b.Value <= rusty.Value {
		t.Errorf("two settled players: got %v and %v, want both to change", a, b)
	}
}

// TestProvisionalOpponentsSettleNobody checks that matches between provisional players change both
// ratings, and never settle one.
func TestProvisionalOpponentsSettleNobody(t *testing.T) {
	for _, deviation := range []float64{111, 150, 250, 350} {
		r := rating.Rating{Value: 1500, Deviation: deviation, Volatility: 0.06}
		before := r
		for i := range 100 {
			was, opponent := r, rating.New()
			var after rating.Rating
			if r, after = rating.RateMatch(r, opponent, 0, 0, float64((i+1)%2)); r.Value == was.Value || after.Value == opponent.Value {
				t.Fatalf("%v became %v, and %v became %v, want both to change", was, r, opponent, after)
			}
		}
		if r.Deviation < 111 || r.Deviation > before.Deviation+1 {
			t.Errorf("after 100 matches against new players, %v became %v, want it still provisional", before, r)
		}
	}
}

// TestNewAccountsLiftNobody checks that a player of medium strength who first beats a hundred new
// accounts, or does so shortly before the rating settles, is soon rated near that strength.
func TestNewAccountsLiftNobody(t *testing.T) {
	hard, _ := rating.BotRating("classic", "hard")
	strength := rating.Rating{Value: 1500, Deviation: 45, Volatility: 0.06}
	for _, first := range []float64{350, 115} {
		var won, played float64
		r := rating.New()
		// The scores add up to the expected scores of the strength.
		againstHard := func(until float64) {
			for r.Deviation > until {
				score := 0.0
				if played++; won+1 <= strength.Expected(hard)*played+0.5 {
					score = 1
				}
				won += score
				r, _ = rating.RateMatch(r, hard, 0, 0, score)
			}
		}
		againstHard(first)
		for range 100 {
			r, _ = rating.RateMatch(r, rating.New(), 0, 0, 1)
		}
		againstHard(110)
		if r.Value > strength.Value+200 {
			t.Errorf("with the new accounts at a deviation of %v, the rating settled at %v, want about %v", first, r, strength)
		}
	}
}

// TestRatingsFindStrength lets players of known strength meet at random. Their ratings must
// converge to their strengths.
func TestRatingsFindStrength(t *testing.T) {
	truth := rating.Rating{Value: 1700, Deviation: 45, Volatility: 0.06}
	opponent := rating.Rating{Value: 1500, Deviation: 45, Volatility: 0.06}
	won := 0.0
	r := rating.New()
	settled := 0
	for n := 1; n <= 300; n++ {
		// The scores add up to the expected scores of the true strengths.
		score := 0.0
		if won+1 <= truth.Expected(opponent)*float64(n)+0.5 {
			score = 1
		}
		won += score
		r, _ = rating.RateMatch(r, opponent, time.Hour, time.Hour, score)
		if settled == 0 && r.IsSettled() {
			settled = n
		}
	}
	checkNear(t, "rating after 300 matches", r.Value, truth.Value, 30)
	if settled < 5 || settled > 30 {
		t.Errorf("the rating settled after %d matches", settled)
	}
}

func generateRating() *rapid.Generator[rating.Rating] {
	return rapid.Custom(func(t *rapid.T) rating.Rating {
		return rating.Rating{
			Value:      float64(rapid.IntRange(100, 4000).Draw(t, "value")),
			Deviation:  rapid.Float64Range(45, 350).Draw(t, "deviation"),
			Volatility: rapid.Float64Range(0.01, 0.1).Draw(t, "volatility"),
		}
	})
}

func requireInBounds(t *rapid.T, r rating.Rating) {
	if !(r.Value >= 100 && r.Value <= 4000 && r.Deviation >= 45 && r.Deviation <= 350 &&
		r.Volatility >= 0.01 && r.Volatility <= 0.1) {
		t.Fatalf("out of bounds: %v", r)
	}
}

// TestSettledFor checks that a settled rating becomes provisional at the time that SettledFor returns.
func TestSettledFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := generateRating().Draw(t, "rating")
		d := r.SettledDuration()
		switch {
		case !r.IsSettled() && d != 0, r.IsSettled() && r.AfterIdle(d+time.Minute).IsSettled(), d > time.Minute && !r.AfterIdle(d-time.Minute).IsSettled():
			t.Fatalf("%+v is settled for %v", r, d)
		}
	})
}

func TestGameProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := generateRating().Draw(t, "a"), generateRating().Draw(t, "b")
		since := func(s string) time.Duration {
			return time.Duration(rapid.Int64Range(0, int64(20*365*24*time.Hour)).Draw(t, s))
		}
		sinceA, sinceB := since("sinceA"), since("sinceB")
		winA, loseB := rating.RateMatch(a, b, sinceA, sinceB, 1)
		loseA, winB := rating.RateMatch(a, b, sinceA, sinceB, 0)
		evenA, _ := rating.RateMatch(a, b, sinceA, sinceB, 0.5)
		for _, r := range []rating.Rating{winA, loseA, evenA, winB, loseB} {
			requireInBounds(t, r)
		}
		if winA.Value < a.Value || loseA.Value > a.Value || winB.Value < b.Value || loseB.Value > b.Value {
			t.Fatalf("a win lost points or a loss won some: %v %v %v %v", winA, loseA, winB, loseB)
		}
		if !(loseA.Value <= evenA.Value && evenA.Value <= winA.Value) {
			t.Fatalf("a draw is not between a loss and a win: %v %v %v", loseA, evenA, winA)
		}
		// Playing does not make a rating less certain than the absence before it did,
		// except through the volatility.
		if winA.Deviation > a.AfterIdle(sinceA).Deviation+15 {
			t.Fatalf("deviation %v after %v", winA.Deviation, a.AfterIdle(sinceA).Deviation)
		}
		// The result does not depend on which side is a.
		winB2, loseA2 := rating.RateMatch(b, a, sinceB, sinceA, 1)
		if winB2 != winB || loseA2 != loseA {
			t.Fatalf("swapped sides: %v %v, want %v %v", winB2, loseA2, winB, loseA)
		}
		if e := a.Expected(b) + b.Expected(a); math.Abs(e-1) > 1e-9 {
			t.Fatalf("expected scores add up to %v", e)
		}
	})
}

// TestHostileNumbers checks that no stored values lead to results that are not numbers.
func TestHostileNumbers(t *testing.T) {
	odd := rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1e300, -1e300, 5e-324, 1500})
	rapid.Check(t, func(t *rapid.T) {
		draw := func(s string) rating.Rating {
			return rating.Rating{Value: odd.Draw(t, s), Deviation: odd.Draw(t, s), Volatility: odd.Draw(t, s)}
		}
		a, b := draw("a"), draw("b")
		since := time.Duration(rapid.Int64().Draw(t, "since"))
		x, y := rating.RateMatch(a, b, since, -since, odd.Draw(t, "score"))
		requireInBounds(t, x)
		requireInBounds(t, y)
		requireInBounds(t, a.AfterIdle(since))
		if e := a.Expected(b); !(e >= 0 && e <= 1) {
			t.Fatalf("expected score %v", e)
		}
	})
}
