package rating

import (
	"fmt"
	"math"
	"time"
)

// Rating is an estimate of a player's strength.
type Rating struct {
	Value float64 // on the Elo scale
	// Deviation says how certain the value is. The true value is within two deviations with a
	// probability of 95 %.
	Deviation float64
	// Volatility is the expected change of the value per period.
	Volatility float64
}

// New returns the rating of a player without rated matches.
func New() Rating {
	return Rating{Value: startValue, Deviation: maxDeviation, Volatility: startVolatility}
}

const (
	startValue      = 1500
	startVolatility = 0.06

	// With a smaller deviation, a rating would hardly change, although people improve.
	// The maximum is a new player's deviation.
	minDeviation, maxDeviation = 45, 350
	// Limits of every rating, whatever the results.
	minValue, maxValue           = 100, 4000
	minVolatility, maxVolatility = 0.01, 0.1

	// settledDeviation is the maximum deviation of a settled rating. It takes about
	// fifteen matches to reach.
	settledDeviation = 110

	// newcomerDeviation is the smallest deviation that matches between provisional players lead to.
	// With 110, a hundred new accounts lift a player of strength 1500 to 2200. With 250, they lift
	// the player to 1570. Both are measured once enough matches against hard have settled the rating.
	newcomerDeviation = 250
)

// PeriodLength is the length of a rating period. After each period without a match, the
// deviation grows by one step. An active player's deviation of 60 grows to 116 in a year
// without matches.
const PeriodLength = 4 * 24 * time.Hour

// Tau limits changes of the volatility. The paper recommends 0.3 to 1.2, and a smaller
// value for a game with more luck.
const Tau = 0.5

// IsSettled reports whether the rating is certain enough for a leaderboard.
func (r Rating) IsSettled() bool { return r.Deviation <= settledDeviation }

// SettledDuration returns how long the rating stays settled without matches. It is 0 for a provisional
// rating.
func (r Rating) SettledDuration() time.Duration {
	r = r.clamp()
	variance := settledDeviation*settledDeviation - r.Deviation*r.Deviation
	return time.Duration(max(0, variance) / (scale * scale * r.Volatility * r.Volatility) * float64(PeriodLength))
}

// AfterIdle returns the rating after a time d without matches: the same value with a larger deviation. A
// negative d counts as 0.
func (r Rating) AfterIdle(d time.Duration) Rating {
	r = r.clamp()
	r.Deviation = math.Hypot(r.Deviation, scale*r.Volatility*math.Sqrt(countPeriods(d)))
	return r.clamp()
}

func countPeriods(d time.Duration) float64 { return max(0, d.Seconds()/PeriodLength.Seconds()) }

// clamp returns r within its limits, and replaces NaN with the values of a new player.
func (r Rating) clamp() Rating {
	r.Value = clampNumber(r.Value, minValue, maxValue, startValue)
	r.Deviation = clampNumber(r.Deviation, minDeviation, maxDeviation, maxDeviation)
	r.Volatility = clampNumber(r.Volatility, minVolatility, maxVolatility, startVolatility)
	return r
}

func clampNumber(x, low, high, otherwise float64) float64 {
	if math.IsNaN(x) {
		return otherwise
	}
	return max(low, min(high, x))
}

// RateMatch rates one match and returns the new ratings of both players. score is 1 if a won, 0 if b won,
// and ½ if there is no winner. sinceA and sinceB are the times since the players' last rated matches, or 0.
// Only RateMatch rounds values to whole numbers, so that the displayed change equals the stored change.
//
// A match against a provisional player does not change a settled rating, and does not settle a provisional
// one: the deviation does not fall below newcomerDeviation.
func RateMatch(a, b Rating, sinceA, sinceB time.Duration, score float64) (Rating, Rating) {
	score = clampNumber(score, 0, 1, 0.5)
	return ratePlayer(a, b.AfterIdle(sinceB), sinceA, score), ratePlayer(b, a.AfterIdle(sinceA), sinceB, 1-score)
}

func ratePlayer(r, o Rating, since time.Duration, score float64) Rating {
	aged := r.AfterIdle(since)
	after := rateResults(r.clamp(), []Result{{o, score}}, countPeriods(since)).clamp()
	switch {
	case o.IsSettled():
		return after.round()
	case aged.IsSettled():
		return r.clamp()
	}
	// The ratings of new accounts say little. A rating that is more certain changes less, so that many
	// new accounts cannot lift it, and so that later matches against settled players count more.
	weight := min(1, math.Pow(aged.Deviation/o.Deviation, 2))
	after.Value = r.clamp().Value + weight*(after.Value-r.clamp().Value)
	after.Deviation = max(after.Deviation, min(aged.Deviation, newcomerDeviation))
	return after.round()
}

func (r Rating) round() Rating {
	r.Value = math.Round(r.Value)
	return r
}

// String returns the rounded value, with a question mark unless the rating is settled.
func (r Rating) String() string {
	if r.IsSettled() {
		return fmt.Sprintf("%.0f", r.Value)
	}
	return fmt.Sprintf("%.0f?", r.Value)
}
