package infer

import (
	"math"
	"math/rand/v2"

	"broadside/match"
)

// stationary is the belief that no ship has moved so far. If that holds, all answers
// are still true, and far fewer layouts agree with them than the hypotheses of a
// Tracker allow. Its probability follows from the number of stationary layouts that
// agree with the answers, compared with how likely the hypotheses made the answers.
// Once it is unlikely, it is given up permanently.
type stationary struct {
	belief *posterior
	log    *answers
	begun  float64   // fleets there may be before the first answer
	share  float64   // how likely nothing has moved, 0 to 1
	others float64   // the logarithm of how likely the hypotheses made all answers
	cells  []float64 // by cell: how likely a part not hit lies there, if nothing has moved
}

const (
	// stationaryPrior is how likely a fleet is to stay where it is.
	stationaryPrior = 0.3
	// stationaryLeast is the share at which the belief is given up.
	stationaryLeast = 0.02
	// stationaryDraws is the size of a sample of fleets; up to stationaryExact of them
	// are enumerated.
	stationaryDraws = 800
	stationaryPilot = 50
	stationaryExact = 1000
	stationarySteps = 10_000
)

func newStationary(r match.Rules, rng *rand.Rand) *stationary {
	r.Moving = false
	a := &stationary{belief: newPosterior(newGeometry(r), rng), log: newAnswers(r), share: stationaryPrior}
	a.cells = make([]float64, len(a.log.when))
	a.think()
	a.begun = a.belief.total
	return a
}

// told enters an answer, with the probability that the hypotheses gave it. It returns
// false if a ship has moved.
func (a *stationary) told(cell int, r match.Result, likely float64) bool {
	a.others += math.Log(max(likely, 1e-6))
	if a.log.when[cell] == 0 {
		a.log.add(cell, r)
		return true
	}
	before := a.log.result[cell]
	return (before == match.Water) == (r == match.Water) && !(before == match.Sunk && r == match.Hit)
}

// think works out how likely nothing has moved, and where the ships lie then.
// False means that it is hardly possible any more.
func (a *stationary) think() bool {
	p := a.belief
	if !p.read(a.log) {
		return false
	}
	p.sample(stationaryPilot)
	if p.total > stationaryExact || !p.enumerate(stationarySteps) {
		const usual = 16 // words of a set of positions; more on larger boards
		p.sample(stationaryDraws * usual / max(usual, p.words))
	}
	if p.total == 0 {
		return false
	}
	p.spread(a.cells, p.mass, p.total)
	for c, when := range a.log.when {
		if when != 0 {
			a.cells[c] = 0
		}
	}
	if a.begun > 0 {
		odds := stationaryPrior / (1 - stationaryPrior) * math.Exp(math.Log(p.total/a.begun)-a.others)
		a.share = odds / (1 + odds)
		if math.IsInf(odds, 1) {
			a.share = 1
		}
	}
	return a.share >= stationaryLeast
}
