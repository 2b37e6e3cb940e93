package rating

import (
	"fmt"
	"math"
	"time"
)

// Rating is how strong a player is, as far as results tell.
type Rating struct {
	Value      float64 // on the scale of Elo's ratings
	Deviation  float64 // of the value: it lies within two deviations 19 times of 20
	Volatility float64 // how much the value is expected to change in a period
}

// New is the rating of who has not played yet.
func New() Rating {
	return Rating{Value: startValue, Deviation: maxDeviation, Volatility: startVolatility}
}

const (
	startValue      = 1500
	startVolatility = 0.06

	// Below the smallest deviation a rating would hardly move any more, though
	// people learn and tire. The largest is that of an unknown player: nobody
	// gets less known than that.
	minDeviation, maxDeviation = 45, 350
	// No series of results, however odd, takes a rating out of these bounds.
	minValue, maxValue           = 100, 4000
	minVolatility, maxVolatility = 0.01, 0.1

	// settledDeviation is where a rating counts as settled, after some fifteen
	// matches.
	settledDeviation = 110
)

// PeriodLength is the time in which the deviation of a player who does not
// play grows by one step of the method. The deviation of an active player, 60,
// grows to 116 in a year without a match.
const PeriodLength = 4 * 24 * time.Hour

// Tau restrains the volatility. The paper asks for 0.3 to 1.2, the smaller the
// more a game depends on luck.
const Tau = 0.5

// Settled tells whether enough is known of a player to be listed among others.
func (r Rating) Settled() bool { return r.Deviation <= settledDeviation }

// After is the rating of a player who has not played for d: less certain than
// before, else the same. A negative d counts as none.
func (r Rating) After(d time.Duration) Rating {
	r = r.clamp()
	r.Deviation = math.Hypot(r.Deviation, scale*r.Volatility*math.Sqrt(periods(d)))
	return r.clamp()
}

// periods is a time in rating periods.
func periods(d time.Duration) float64 { return max(0, d.Seconds()/PeriodLength.Seconds()) }

// Expected is the score that r can expect against o: 1 for a certain win, 0
// for a certain loss. It allows for the deviation of both.
func (r Rating) Expected(o Rating) float64 {
	r, o = r.clamp(), o.clamp()
	both := math.Hypot(r.Deviation, o.Deviation) / scale
	return expected((r.Value-o.Value)/scale, impact(both))
}

// clamp is r within its bounds. What is no number becomes what a new player
// has.
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

// Game rates one match: a's score is 1 if a won, 0 if b won, ½ if neither did.
// sinceA and sinceB are the times since the last rated match of each, 0 for
// who has none. The values are rounded to whole numbers here and nowhere else, so
// that the change that a player sees is the one that is stored.
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

// String returns the value as people see it: with a question mark as long as it
// is not settled.
func (r Rating) String() string {
	if r.Settled() {
		return fmt.Sprintf("%.0f", r.Value)
	}
	return fmt.Sprintf("%.0f?", r.Value)
}
