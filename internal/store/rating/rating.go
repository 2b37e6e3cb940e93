package rating

import (
	"fmt"
	"math"
	"time"
)

// Rating is an estimate of a player's strength.
type Rating struct {
	Value      float64 // on the scale of Elo's ratings
	Deviation  float64 // of the value: it lies within two deviations 19 times of 20
	Volatility float64 // how much the value is expected to change in a period
}

// New returns the rating of a player without matches.
func New() Rating {
	return Rating{Value: startValue, Deviation: maxDeviation, Volatility: startVolatility}
}

const (
	startValue      = 1500
	startVolatility = 0.06

	// With a smaller deviation, a rating would hardly change, though people improve. The
	// maximum is the deviation of a new player.
	minDeviation, maxDeviation = 45, 350
	// The bounds of all ratings, whatever the results.
	minValue, maxValue           = 100, 4000
	minVolatility, maxVolatility = 0.01, 0.1

	// settledDeviation is the maximum deviation of a settled rating, after some fifteen
	// matches.
	settledDeviation = 110
)

// PeriodLength is the length of a rating period, after which the deviation of an inactive
// player has grown by one step of the method. An active player's deviation of 60 grows to
// 116 in a year without a match.
const PeriodLength = 4 * 24 * time.Hour

// Tau limits changes of the volatility. The paper recommends 0.3 to 1.2, and a smaller
// value for a game with more luck.
const Tau = 0.5

// Settled reports whether the rating is certain enough for a leaderboard.
func (r Rating) Settled() bool { return r.Deviation <= settledDeviation }

// After returns the rating after a time d without a match: it has the same value and is
// less certain. A negative d counts as 0.
func (r Rating) After(d time.Duration) Rating {
	r = r.clamp()
	r.Deviation = math.Hypot(r.Deviation, scale*r.Volatility*math.Sqrt(periods(d)))
	return r.clamp()
}

// periods returns a duration in rating periods.
func periods(d time.Duration) float64 { return max(0, d.Seconds()/PeriodLength.Seconds()) }

// Expected returns the score that r can expect against o: 1 for a certain win, 0 for a
// certain loss. It takes both deviations into account.
func (r Rating) Expected(o Rating) float64 {
	r, o = r.clamp(), o.clamp()
	both := math.Hypot(r.Deviation, o.Deviation) / scale
	return expected((r.Value-o.Value)/scale, impact(both))
}

// clamp returns r within its bounds. NaN becomes the value of a new player.
func (r Rating) clamp() Rating {
	r.Value = bound(r.Value, minValue, maxValue, startValue)
	r.Deviation = bound(r.Deviation, minDeviation, maxDeviation, maxDeviation)
	r.Volatility = bound(r.Volatility, minVolatility, maxVolatility, startVolatility)
	return r
}

func bound(x, low, high, otherwise float64) float64 {
	if math.IsNaN(x) {
		return otherwise
	}
	return max(low, min(high, x))
}

// Game rates one match and returns the new ratings of both players. score is 1 if a won,
// 0 if b won, and ½ if neither did. sinceA and sinceB are the times since the last rated
// match of each, 0 if there is none. Only Game rounds values to whole numbers, so that the
// change that a player sees is the one that is stored.
func Game(a, b Rating, sinceA, sinceB time.Duration, score float64) (Rating, Rating) {
	agedA, agedB := a.After(sinceA), b.After(sinceB)
	score = bound(score, 0, 1, 0.5)
	return update(a.clamp(), []Result{{agedB, score}}, periods(sinceA)).clamp().whole(),
		update(b.clamp(), []Result{{agedA, 1 - score}}, periods(sinceB)).clamp().whole()
}

func (r Rating) whole() Rating {
	r.Value = math.Round(r.Value)
	return r
}

// String returns the value as people see it, with a question mark unless the rating is
// settled.
func (r Rating) String() string {
	if r.Settled() {
		return fmt.Sprintf("%.0f", r.Value)
	}
	return fmt.Sprintf("%.0f?", r.Value)
}
