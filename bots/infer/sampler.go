package infer

import (
	"math"
	"math/rand/v2"
	"slices"

	"broadside/match"
)

// Sampler draws uniformly from all legal layouts of a rule set.
type Sampler struct{ posterior *posterior }

// NewSampler returns a Sampler for a rule set.
func NewSampler(r match.Rules, rng *rand.Rand) Sampler {
	p := newPosterior(newGeometry(r), rng)
	p.read(newAnswers(r))
	return Sampler{p}
}

// Chances returns estimated probabilities of a ship in each cell, row by row, if all
// layouts are equally likely.
func (s Sampler) Chances() []float64 {
	s.posterior.sample(habitDraws)
	cells := make([]float64, len(s.posterior.through))
	s.posterior.spread(cells, s.posterior.mass, s.posterior.total)
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
		weight, _ := p.draw()
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
		if p.dice.Float64()*total < weight {
			best = append(best[:0], p.placed...)
		}
	}
	if best == nil {
		return nil, false
	}
	return p.layout(best), true
}

// layout returns a layout with ships at the given positions, one for each ship of the
// fleet.
func (g *geometry) layout(positions []int) match.Layout {
	var l match.Layout
	slices.Sort(positions) // longest first, as in the fleet
	for _, n := range positions {
		l = append(l, g.positions[n].ship)
	}
	return l
}
