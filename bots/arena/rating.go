package arena

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// rate is the rating of all players that makes the scores of all pairings most
// likely (Bradley and Terry's model), with intervals from the curvature of the
// likelihood. Every pairing counts as many games as its pairs are worth. One
// more drawn game of each pairing keeps a player who has won everything, or
// nothing, at a finite distance.
func rate(players []string, contests []*contest) []Rating {
	n := len(players)
	weight := mat.NewSymDense(n, nil) // games between two players
	points := make([]float64, n)
	ratings := make([]Rating, n)
	for i, name := range players {
		ratings[i].Bot = name
	}
	for _, c := range contests {
		i, j := slices.Index(players, c.players[0]), slices.Index(players, c.players[1])
		k := &c.tally
		made := [2]float64{float64(k.wins[0]) + float64(k.draws)/2, float64(k.wins[1]) + float64(k.draws)/2}
		for side, player := range [2]int{i, j} {
			ratings[player].Score += made[side]
			ratings[player].Games += k.games
		}
		interval, ok := k.pairs.interval()
		if !ok {
			continue
		}
		games := k.pairs.worth()
		weight.SetSym(i, j, weight.At(i, j)+games+1)
		points[i] += interval.Value*games + 0.5
		points[j] += (1-interval.Value)*games + 0.5
	}
	strength := climb(weight, points)
	spread := deviations(weight, strength)
	const scale = 400 / math.Ln10
	for i := range ratings {
		r := &ratings[i]
		r.Elo = strength[i] * scale
		half := quantile95 * spread[i] * scale
		r.Low, r.High = r.Elo-half, r.Elo+half
		if r.Games > 0 {
			r.Score /= float64(r.Games)
		}
	}
	slices.SortStableFunc(ratings, func(a, b Rating) int { return cmp.Compare(b.Elo, a.Elo) })
	return ratings
}

// climb finds the natural logarithms of the players' strengths, whose mean is
// 0, by Newton's method.
func climb(weight *mat.SymDense, points []float64) []float64 {
	n := len(points)
	x := make([]float64, n)
	for range 100 {
		gradient := mat.NewVecDense(n, nil)
		for i := range n {
			expected := 0.0
			for j := range n {
				expected += weight.At(i, j) / (1 + math.Exp(x[j]-x[i]))
			}
			gradient.SetVec(i, points[i]-expected)
		}
		var step mat.VecDense
		if step.SolveVec(information(weight, x), gradient) != nil {
			return x // a player without a game: all ratings stay where they are
		}
		largest := 0.0
		for i := range n {
			// A step from far away overshoots; this keeps it in the region
			// where the likelihood is nearly a parabola.
			d := max(-1, min(1, step.AtVec(i)))
			x[i] += d
			largest = max(largest, math.Abs(d))
		}
		if largest < 1e-9 {
			break
		}
	}
	mean := 0.0
	for _, v := range x {
		mean += v / float64(n)
	}
	for i := range x {
		x[i] -= mean
	}
	return x
}

// information is the negative of the second derivative of the likelihood. Only
// differences between players matter to that, so their mean is pinned here.
func information(weight *mat.SymDense, x []float64) *mat.SymDense {
	n := len(x)
	h := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			p := 1 / (1 + math.Exp(x[j]-x[i]))
			v := weight.At(i, j) * p * (1 - p)
			h.SetSym(i, i, h.At(i, i)+v)
			if i < j {
				h.SetSym(i, j, h.At(i, j)-v)
			}
		}
	}
	for i := range n {
		for j := i; j < n; j++ {
			h.SetSym(i, j, h.At(i, j)+1)
		}
	}
	return h
}

// deviations are the standard errors of the strengths.
func deviations(weight *mat.SymDense, x []float64) []float64 {
	out := make([]float64, len(x))
	var inverse mat.Dense
	if inverse.Inverse(information(weight, x)) != nil {
		return out
	}
	for i := range out {
		// Less the variance of the mean, which was pinned at 1/n².
		out[i] = math.Sqrt(max(0, inverse.At(i, i)-1/float64(len(x)*len(x))))
	}
	return out
}
