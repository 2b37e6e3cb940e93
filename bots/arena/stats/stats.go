// Package stats computes statistics of matches: distributions of shots, scores with
// intervals, sequential tests, and ratings.
package stats

import (
	"cmp"
	"errors"
	"math"
)

// Counts is a histogram: Counts[n] is the number of games with the value n.
type Counts []int64

// Add counts one game with the given value.
func (c *Counts) Add(value int) { c.AddMany(value, 1) }

// AddMany counts n games with the given value.
func (c *Counts) AddMany(value int, n int64) {
	for len(*c) <= value {
		*c = append(*c, 0)
	}
	(*c)[value] += n
}

// Total returns the number of games.
func (c Counts) Total() int64 {
	n := int64(0)
	for _, k := range c {
		n += k
	}
	return n
}

// Spread describes the distribution of a number of shots or rounds over games.
type Spread struct {
	Mean   float64 `json:"mean"`
	SE     float64 `json:"se"` // standard error of Mean
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
	Max    int     `json:"max"`
}

// Spread summarizes the distribution.
func (c Counts) Spread() Spread {
	n := float64(c.Total())
	if n == 0 {
		return Spread{}
	}
	var sum, squares float64
	for v, k := range c {
		sum += float64(v) * float64(k)
	}
	s := Spread{Mean: sum / n, Median: c.quantile(0.5), P95: c.quantile(0.95)}
	for v, k := range c {
		if k > 0 {
			s.Max = v
		}
		d := float64(v) - s.Mean
		squares += d * d * float64(k)
	}
	if n > 1 {
		s.SE = math.Sqrt(squares / (n - 1) / n)
	}
	return s
}

// quantile returns the smallest value that at least a share of the games did not exceed.
func (c Counts) quantile(share float64) float64 {
	rest := share * float64(c.Total())
	for v, k := range c {
		rest -= float64(k)
		if rest <= 0 && k > 0 {
			return float64(v)
		}
	}
	return 0
}

// PairCounts counts units of two games, with the same layouts and sides swapped, by the first player's
// half points, 0 to 4. A win is two half points, and a game without a winner is one.
type PairCounts [5]int64

// Total returns the number of units.
func (p PairCounts) Total() float64 {
	n := int64(0)
	for _, k := range p {
		n += k
	}
	return float64(n)
}

// scoreMoments returns the mean score per game, 0 to 1, and its variance over units.
func (p PairCounts) scoreMoments() (mean, variance float64) {
	n := p.Total()
	for half, k := range p {
		mean += float64(half) / 4 * float64(k) / n
	}
	for half, k := range p {
		d := float64(half)/4 - mean
		variance += d * d * float64(k) / n
	}
	return mean, variance
}

// fairVariance is the variance of a unit's score if coin tosses decide its two games.
const fairVariance = 0.125

// Interval is an estimate with its 95% interval.
type Interval struct {
	Value float64
	Low   float64
	High  float64
}

// Quantile95 is half the width of a 95% interval, in standard errors.
const Quantile95 = 1.959963984540054

// ScoreInterval returns the score with its 95% interval, or false without units. The samples are units,
// not games, because the two games of a unit share their layouts. It is Wilson's interval for the
// number of independent games with the variance observed in the units. Therefore it stays
// within 0 and 1 and has a nonzero width even if one side has won everything.
func (p PairCounts) ScoreInterval() (Interval, bool) {
	if p.Total() == 0 {
		return Interval{}, false
	}
	mean, _ := p.scoreMoments()
	games := p.effectiveGames()
	z2 := Quantile95 * Quantile95
	centre := (mean + z2/(2*games)) / (1 + z2/games)
	half := Quantile95 / (1 + z2/games) * math.Sqrt(mean*(1-mean)/games+z2/(4*games*games))
	i := Interval{Value: mean, Low: centre - half, High: centre + half}
	if mean == 0 { // avoid rounding errors
		i.Low = 0
	}
	if mean == 1 {
		i.High = 1
	}
	return i, true
}

// effectiveGames returns the number of independent games that would have the variance observed in
// the units, or one game per unit if the variance is 0.
func (p PairCounts) effectiveGames() float64 {
	mean, variance := p.scoreMoments()
	if variance == 0 {
		return p.Total()
	}
	return mean * (1 - mean) / variance * p.Total()
}

// Superiority returns the probability that the first player is stronger. It is the probability
// that two equal players would have a lower score in as many effective games.
func (p PairCounts) Superiority() float64 {
	if p.Total() == 0 {
		return 0.5
	}
	mean, _ := p.scoreMoments()
	return math.Erfc((1-2*mean)*math.Sqrt(p.effectiveGames()/2)) / 2
}

// EloDifference returns the rating difference that corresponds to an expected score. It is infinite for
// 0 and 1.
func EloDifference(score float64) float64 { return 400 * math.Log10(score/(1-score)) }

// expectedScore returns the expected score for a rating difference.
func expectedScore(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// SPRT is a sequential test of two hypotheses about the rating difference between two
// players: that it is Elo0, or that it is Elo1. Alpha is the probability of accepting Elo1 if
// Elo0 is true, and Beta that of the opposite error. 0 means 5%.
type SPRT struct {
	Elo0  float64 `json:"elo0"`
	Elo1  float64 `json:"elo1"`
	Alpha float64 `json:"alpha,omitempty"`
	Beta  float64 `json:"beta,omitempty"`
}

// Decision is a test's state.
type Decision string

// The decisions.
const (
	Undecided Decision = ""
	AcceptH0  Decision = "elo0" // not stronger than Elo0
	AcceptH1  Decision = "elo1" // at least as strong as Elo1
)

// Bounds returns the logarithms of the likelihood ratio at which the test accepts Elo0 and Elo1.
func (s *SPRT) Bounds() (lower, upper float64) {
	const usual = 0.05
	alpha, beta := cmp.Or(s.Alpha, usual), cmp.Or(s.Beta, usual)
	return math.Log(beta / (1 - alpha)), math.Log((1 - beta) / alpha)
}

// Validate returns an error if the hypotheses or the error probabilities are invalid.
func (s *SPRT) Validate() error {
	for _, p := range []float64{s.Alpha, s.Beta} {
		if !(p >= 0 && p < 0.5) {
			return errors.New("the error probabilities of an SPRT are less than 0.5, such as 0.05")
		}
	}
	if !(s.Elo0 < s.Elo1) || math.Abs(s.Elo0) > 2000 || math.Abs(s.Elo1) > 2000 {
		return errors.New("an SPRT needs two rating differences, the lower first, such as 0,10")
	}
	return nil
}

// LogRatio returns the logarithm of the two hypotheses' likelihood ratio. It uses the
// generalized test for a mean of unknown variance, with units as samples.
func (s *SPRT) LogRatio(p PairCounts) float64 {
	n := p.Total()
	if n == 0 {
		return 0
	}
	mean, variance := p.scoreMoments()
	// The first few equal units have no variance yet. Two assumed fair units provide one,
	// and soon become insignificant.
	variance = (variance*n + 2*fairVariance) / (n + 2)
	d0, d1 := mean-expectedScore(s.Elo0), mean-expectedScore(s.Elo1)
	return n / 2 * math.Log((variance+d0*d0)/(variance+d1*d1))
}

// Decide returns the decision for a logarithm of the likelihood ratio.
func (s *SPRT) Decide(logRatio float64) Decision {
	switch lower, upper := s.Bounds(); {
	case logRatio >= upper:
		return AcceptH1
	case logRatio <= lower:
		return AcceptH0
	}
	return Undecided
}
