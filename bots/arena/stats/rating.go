package stats

import (
	"cmp"
	"math"
	"slices"
)

// Rating is a player's rating with its 95% interval. The mean over all players of a
// tournament is 0.
type Rating struct {
	Bot   string  `json:"bot"`
	Elo   float64 `json:"elo"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Score float64 `json:"score"` // share of points, 0 to 1
	Games int64   `json:"games"`
}

// Pairing is the result of two players against each other.
type Pairing struct {
	Players [2]string
	Games   int64
	Points  [2]float64 // by player: 1 for a win, ½ for a game without a winner
	Pairs   PairCounts
}

// RatePlayers returns all players' maximum-likelihood ratings in the Bradley–Terry model,
// best first, with intervals from the likelihood's curvature. Each pairing counts as its number of
// effective games. draws is a number of extra drawn games per pairing, greater than 0. They keep the
// ratings of players who won or lost everything finite.
func RatePlayers(players []string, pairings []Pairing, draws float64) []Rating {
	n := len(players)
	weight := newMatrix(n) // games between two players
	points := make([]float64, n)
	ratings := make([]Rating, n)
	for i, name := range players {
		ratings[i].Bot = name
	}
	for _, p := range pairings {
		i, j := slices.Index(players, p.Players[0]), slices.Index(players, p.Players[1])
		for side, player := range [2]int{i, j} {
			ratings[player].Score += p.Points[side]
			ratings[player].Games += p.Games
		}
		interval, ok := p.Pairs.ScoreInterval()
		if !ok {
			continue
		}
		games := p.Pairs.effectiveGames()
		weight[i][j] += games + draws
		weight[j][i] = weight[i][j]
		points[i] += interval.Value*games + draws/2
		points[j] += (1-interval.Value)*games + draws/2
	}
	strength := fitStrengths(weight, points)
	spread := standardErrors(weight, strength)
	const scale = 400 / math.Ln10
	for i := range ratings {
		r := &ratings[i]
		r.Elo = strength[i] * scale
		half := Quantile95 * spread[i] * scale
		r.Low, r.High = r.Elo-half, r.Elo+half
		if r.Games > 0 {
			r.Score /= float64(r.Games)
		}
	}
	slices.SortStableFunc(ratings, func(a, b Rating) int { return cmp.Compare(b.Elo, a.Elo) })
	return ratings
}

// fitStrengths returns the natural logarithms of the players' strengths, with mean 0. It maximizes the
// likelihood with Newton's method.
func fitStrengths(weight matrix, points []float64) []float64 {
	n := len(points)
	x := make([]float64, n)
	for range 100 {
		inverse, ok := informationMatrix(weight, x).inverse()
		if !ok {
			return x // a player without games: leave all ratings unchanged
		}
		gradient := make([]float64, n)
		for i := range n {
			gradient[i] = points[i]
			for j := range n {
				gradient[i] -= weight[i][j] / (1 + math.Exp(x[j]-x[i]))
			}
		}
		largest := 0.0
		for i := range n {
			step := 0.0
			for j := range n {
				step += inverse[i][j] * gradient[j]
			}
			// Limit the step: far from the maximum, a Newton step overshoots the region
			// where the likelihood is nearly parabolic.
			step = max(-1, min(1, step))
			x[i] += step
			largest = max(largest, math.Abs(step))
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

// informationMatrix returns the log-likelihood's negative second derivative. The likelihood depends only
// on differences between players, so the mean is fixed here.
func informationMatrix(weight matrix, x []float64) matrix {
	h := newMatrix(len(x))
	for i := range h {
		for j := range h {
			h[i][j]++
			if i != j {
				p := 1 / (1 + math.Exp(x[j]-x[i]))
				v := weight[i][j] * p * (1 - p)
				h[i][i] += v
				h[i][j] -= v
			}
		}
	}
	return h
}

func standardErrors(weight matrix, x []float64) []float64 {
	out := make([]float64, len(x))
	inverse, ok := informationMatrix(weight, x).inverse()
	if !ok {
		return out
	}
	for i := range out {
		// Subtract the mean's variance, which was fixed at 1/n².
		out[i] = math.Sqrt(max(0, inverse[i][i]-1/float64(len(x)*len(x))))
	}
	return out
}

// matrix is a square matrix, stored by row.
type matrix [][]float64

func newMatrix(n int) matrix {
	m := make(matrix, n)
	for i := range m {
		m[i] = make([]float64, n)
	}
	return m
}

// inverse returns a symmetric's inverse, positive definite matrix by Gauss-Jordan
// elimination, or false if the matrix is singular.
func (m matrix) inverse() (matrix, bool) {
	m = slices.Clone(m)
	inverse := newMatrix(len(m))
	for i := range m {
		m[i] = slices.Clone(m[i])
		inverse[i][i] = 1
	}
	for i := range m {
		pivot := m[i][i]
		if pivot < 1e-12 {
			return nil, false
		}
		for j := range m {
			m[i][j] /= pivot
			inverse[i][j] /= pivot
		}
		for k := range m {
			factor := m[k][i]
			if k == i || factor == 0 {
				continue
			}
			for j := range m {
				m[k][j] -= factor * m[i][j]
				inverse[k][j] -= factor * inverse[i][j]
			}
		}
	}
	return inverse, true
}
