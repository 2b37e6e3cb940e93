package rating

import "math"

// scale is the ratio of displayed ratings to the internal scale of Glicko-2.
const scale = 173.7178

// Result is one match of a rating period.
type Result struct {
	Opponent Rating
	Score    float64 // 1 for a win, 0 for a loss, ½ without a winner
}

// rateResults rates at least one result after the deviation has grown for a number of periods, which may
// be a fraction. Steps and variable names follow the paper.
func rateResults(r Rating, results []Result, periods float64) Rating {
	mu, phi, sigma := (r.Value-startValue)/scale, r.Deviation/scale, r.Volatility
	// information is 1/v of step 3, and surprise is the sum in steps 4 and 7.
	var information, surprise float64
	for _, result := range results {
		g := impact(result.Opponent.Deviation / scale)
		e := expectedScore(mu-(result.Opponent.Value-startValue)/scale, g)
		information += g * g * e * (1 - e)
		surprise += g * (result.Score - e)
	}
	v := 1 / information
	sigma = newVolatility(phi, sigma, v, v*surprise)
	grown := phi*phi + periods*sigma*sigma
	phi = 1 / math.Sqrt(1/grown+information)
	return Rating{
		Value:      scale*(mu+phi*phi*surprise) + startValue,
		Deviation:  scale * phi,
		Volatility: sigma,
	}
}

// impact returns the weight of a result against an opponent with the deviation phi.
func impact(phi float64) float64 { return 1 / math.Sqrt(1+3*phi*phi/(math.Pi*math.Pi)) }

func expectedScore(difference, impact float64) float64 { return 1 / (1 + math.Exp(-impact*difference)) }

// newVolatility is step 5, which finds the root of a function with the Illinois algorithm.
func newVolatility(phi, sigma, v, delta float64) float64 {
	const tolerance = 1e-6
	a := math.Log(sigma * sigma)
	f := func(x float64) float64 {
		ex := math.Exp(x)
		d := phi*phi + v + ex
		return ex*(delta*delta-d)/(2*d*d) - (x-a)/(Tau*Tau)
	}
	low, high := a, 0.0
	if delta*delta > phi*phi+v {
		high = math.Log(delta*delta - phi*phi - v)
	} else {
		high = a - Tau
		for f(high) < 0 {
			high -= Tau
		}
	}
	fLow, fHigh := f(low), f(high)
	// A few steps are enough. The limit stops the loop for NaN.
	for range 100 {
		if !(math.Abs(high-low) > tolerance) {
			break
		}
		x := low + (low-high)*fLow/(fHigh-fLow)
		fx := f(x)
		if fx*fHigh <= 0 {
			low, fLow = high, fHigh
		} else {
			fLow /= 2
		}
		high, fHigh = x, fx
	}
	return math.Exp(low / 2)
}
