package infer

import (
	"math"
	"math/rand/v2"

	"broadside/match"
	"broadside/match/layouts"
)

// stationary is the hypothesis that no ship has moved so far. If it is true, all results
// still apply, and far fewer layouts agree with them than the hypotheses of a Tracker
// allow. Its probability follows from the number of stationary layouts that agree with the
// results, compared with the likelihood of the results under the other hypotheses. It is
// dropped permanently once it is unlikely.
type stationary struct {
	belief *layouts.Posterior
	log    *layouts.Log
	// totalAtStart is the number of fleets before the first result.
	totalAtStart float64
	// probability is the probability that nothing has moved, from 0 to 1.
	probability float64
	// others is the log-likelihood of all results under the other hypotheses.
	others float64
	// cells has, by cell, the probability of an unhit part if nothing has moved.
	cells []float64
}

const (
	// stationaryPrior is the prior probability that a fleet never moves.
	stationaryPrior = 0.3
	// stationaryLeast is the share below which the hypothesis is dropped.
	stationaryLeast = 0.02
	// stationaryDraws is the sample size.
	stationaryDraws = 400
)

func newStationary(r match.Rules, rng *rand.Rand) *stationary {
	r.Moving = false
	a := &stationary{belief: layouts.NewPosterior(layouts.NewGeometry(r), rng), log: layouts.NewLog(r), probability: stationaryPrior}
	a.cells = make([]float64, r.Size*r.Size)
	a.updateShare()
	a.totalAtStart = a.belief.Total
	return a
}

// observe records a result and its probability under the other hypotheses. It returns false
// if a ship has moved.
func (a *stationary) observe(cell match.Cell, r match.Result, likely float64) bool {
	a.others += math.Log(max(likely, 1e-6))
	return a.log.Add(cell, r)
}

// updateShare computes the probability that nothing has moved, and where the ships then lie. It
// returns false if that has become too unlikely.
func (a *stationary) updateShare() bool {
	p := a.belief
	if !p.ReadLog(a.log) {
		return false
	}
	p.ComputeSums(stationaryDraws)
	if p.Total == 0 {
		return false
	}
	a.cells = p.CellOdds(p.Mass, p.Total)
	for c := range p.Rules.Cells().All() {
		if a.log.Has(c) {
			a.cells[int(c.Y)*p.Rules.Size+int(c.X)] = 0
		}
	}
	if a.totalAtStart > 0 {
		odds := stationaryPrior / (1 - stationaryPrior) * math.Exp(math.Log(p.Total/a.totalAtStart)-a.others)
		a.probability = odds / (1 + odds)
		if math.IsInf(odds, 1) {
			a.probability = 1
		}
	}
	return a.probability >= stationaryLeast
}
