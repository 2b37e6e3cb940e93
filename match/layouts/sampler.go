package layouts

import (
	"math"
	"math/rand/v2"

	"broadside/match"
)

// Sampler draws uniformly from all legal layouts of a rule set.
type Sampler struct{ posterior *Posterior }

// samplerDraws is the number of draws from which chances are estimated.
const samplerDraws = 1000

// NewSampler returns a Sampler for a rule set.
func NewSampler(r match.Rules, rng *rand.Rand) Sampler {
	p := NewPosterior(NewGeometry(r), rng)
	p.Read(NewLog(r))
	return Sampler{p}
}

// Chances returns estimated probabilities of a ship in each cell, row by row, if all
// layouts are equally likely.
func (s Sampler) Chances() []float64 {
	s.posterior.Sample(samplerDraws)
	cells := make([]float64, len(s.posterior.through))
	s.posterior.Spread(cells, s.posterior.Mass, s.posterior.Total)
	return cells
}

const (
	// preferDraws is the number of layouts from which a preferred one is chosen.
	preferDraws = 64
	// preferTries limits the draws for fleets that barely fit on their board.
	preferTries = 20 * preferDraws
)

// Prefer draws a layout with a probability that grows exponentially with the sum of the
// preferences for its cells. It returns false if it found no layout.
func (s Sampler) Prefer(preferences []float64) (match.Layout, bool) {
	p := s.posterior
	var best []int
	total, found := 0.0, 0
	for try := 0; try < preferTries && found < preferDraws; try++ {
		_, weight, _ := p.Draw()
		if weight == 0 {
			continue
		}
		found++
		sum := 0.0
		for _, n := range p.placed {
			at := &p.positions[n]
			for _, c := range at.cells[:at.n] {
				sum += preferences[c]
			}
		}
		weight *= math.Exp(sum)
		total += weight
		if p.rng.Float64()*total < weight {
			best = append(best[:0], p.placed...)
		}
	}
	if best == nil {
		return nil, false
	}
	return p.Layout(best), true
}
