package infer

import (
	"math/rand/v2"

	"broadside/match"
	"broadside/match/layouts"
)

// Layouts holds what is known about the opponent's layout: each layout's probability
// that agrees with every result, given the opponent's habits.
type Layouts struct {
	rules  match.Rules
	memory *Memory
	rng    *rand.Rand
	// draws is the sample size.
	draws int
	log   *layouts.Log

	// Set from the first Update on.
	belief *layouts.Posterior
	habits *habits
	// total is the total probability of the layouts that agree.
	total float64
	// wounded is the probability of those in which a ship afloat has been hit.
	wounded float64
	// mass has, by position, the probability of those with a ship there.
	mass []float64
	// cells has, by cell, a ship's probability.
	cells []float64
}

// NewLayouts returns the Layouts for a game before its first shot. The memory may be nil. If there
// are too many layouts to enumerate, it takes a sample of the given number of draws.
func NewLayouts(r match.Rules, memory *Memory, draws int, rng *rand.Rand) *Layouts {
	return &Layouts{rules: r, memory: memory, draws: draws, rng: rng, log: layouts.NewLog(r)}
}

// Add records a result.
func (b *Layouts) Add(cell match.Cell, r match.Result) {
	if b.rules.Contains(cell) {
		b.log.Add(cell, r)
	}
}

// Reset forgets all results.
func (b *Layouts) Reset() { b.log = layouts.NewLog(b.rules) }

// computePrior computes the probabilities before the first shot.
func (b *Layouts) computePrior() {
	b.belief = layouts.NewPosterior(layouts.NewGeometry(b.rules), b.rng)
	b.habits = newHabits(b.belief, b.memory)
	b.mass = make([]float64, b.belief.Len())
}

// Update computes all probabilities from the results so far. It returns false if there are
// none, because the results contradict each other, or nearly do. The methods below return
// what the last Update computed.
func (b *Layouts) Update() bool {
	if b.belief == nil {
		b.computePrior()
	}
	p := b.belief
	b.total, b.wounded = 0, 0
	clear(b.mass)
	if !p.ReadLog(b.log) {
		return false
	}
	b.addRepeatedLayouts()
	b.addNewLayouts()
	if b.total == 0 {
		return false
	}
	b.cells = p.CellOdds(b.mass, b.total)
	return true
}

// CellOdds returns the probability of a ship in each cell, row by row.
func (b *Layouts) CellOdds() []float64 { return b.cells }

// WoundedOdds returns the probability that a hit ship is still afloat.
func (b *Layouts) WoundedOdds() float64 { return b.wounded / b.total }

// Lengths returns the distinct lengths of the fleet's ships, longest first.
func (b *Layouts) Lengths() []int { return b.belief.Lengths() }

// ExpectedAfloat returns the expected number of ships of the given length that are still afloat.
func (b *Layouts) ExpectedAfloat(length int) float64 {
	afloat, p := 0.0, b.belief
	for n, mass := range b.mass {
		if mass > 0 && p.Ship(n).Length == length && !p.IsFullyHit(n) {
			afloat += mass
		}
	}
	return afloat / b.total
}

// addRepeatedLayouts adds the layouts of earlier games, which may have been used again.
func (b *Layouts) addRepeatedLayouts() {
	for _, r := range b.habits.repeats {
		agrees, wounded := b.belief.Agrees(r.positions)
		if !agrees {
			continue
		}
		b.total += r.prior
		if wounded {
			b.wounded += r.prior
		}
		for _, n := range r.positions {
			b.mass[n] += r.prior
		}
	}
}

// addNewLayouts adds new layouts.
func (b *Layouts) addNewLayouts() {
	p, share := b.belief, b.habits.newShare
	p.Weight = b.habits.weights
	p.ComputeSums(b.draws)
	b.total += share * p.Total
	b.wounded += share * p.Wounded
	for n, mass := range p.Mass {
		b.mass[n] += share * mass
	}
}
