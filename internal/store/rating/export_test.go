package rating

import "math"

// RateResults rates the results of a rating period. As in the paper, the
// new rating is not clamped.
func RateResults(r Rating, results []Result) Rating { return rateResults(r, results, 1) }

// Expected returns r's expected score against o: 1 for a certain win, 0 for a certain
// loss. It takes both deviations into account.
func (r Rating) Expected(o Rating) float64 {
	r, o = r.clamp(), o.clamp()
	both := math.Hypot(r.Deviation, o.Deviation) / scale
	return expectedScore((r.Value-o.Value)/scale, impact(both))
}
