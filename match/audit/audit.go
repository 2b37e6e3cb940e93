// Package audit checks whether any legal layout explains all results of a side that keeps its
// fleet.
//
// Other programs may import this package. docs/library.md says which changes they can expect.
package audit

import (
	"math/rand/v2"

	"broadside/match"
	"broadside/match/layouts"
)

// Mode defines what follows from results that cannot all be true. It implements
// [match.AuditMode].
type Mode uint8

// These are the modes.
const (
	// Flag marks the match as disputed, and it continues.
	Flag Mode = iota
	// Forfeit makes the side lose.
	Forfeit
	// Off does not check results.
	Off
)

// NewAuditor implements [match.AuditMode].
func (m Mode) NewAuditor(r match.Rules) match.Auditor {
	if m == Off {
		return nil
	}
	return New(r)
}

// MustForfeit implements [match.AuditMode].
func (m Mode) MustForfeit() bool { return m == Forfeit }

// Audit tracks the results of a side that keeps its fleet and reports whether they can
// all be true, that is, whether a legal layout explains all of them. The verdict
// "impossible" is always correct. The verdict "possible" is also correct, unless the
// search took too long, which does not happen with the fleet of classic.
//
// Audit keeps one layout that explains all results so far (the witness) and searches for
// another only when a result contradicts it, so most results cost almost nothing.
//
// If ships move, movingAudit does the work. Its verdict "impossible" is always correct,
// too.
type Audit struct {
	// moving is nil unless ships move.
	moving   *movingAudit
	geometry *layouts.Geometry
	log      *layouts.Log
	// posterior is kept to reuse its memory. It is nil before the first search.
	posterior *layouts.Posterior
	// struck has the cells with a result other than Miss.
	struck match.Set
	// witness has the witness's ships. It is empty if there is no witness.
	witness []match.Set
	failed  bool
}

const (
	// searchDraws is how many layouts a search draws at random before it enumerates them.
	searchDraws = 40
	// searchSteps limits the enumeration to a few milliseconds. In 10,000 games against sides that
	// tried to make the search hard, none with the fleet of classic reached it.
	searchSteps = 100_000
)

// New returns an audit without results. The rules must be valid.
func New(r match.Rules) *Audit {
	if r.Moving && len(r.Fleet) > match.LastShips {
		return &Audit{moving: newMovingAudit(r)}
	}
	return &Audit{geometry: layouts.NewGeometry(r), log: layouts.NewLog(r)}
}

// Add records the result of a shot at a cell of the board and reports whether all results
// so far can be true. Once it has returned false, it always does.
func (a *Audit) Add(cell match.Cell, r match.Result) bool {
	switch {
	case a.failed:
		return false
	case a.moving != nil:
		a.failed = !a.moving.add(cell, r)
		return !a.failed
	case !a.log.Add(cell, r):
		a.failed = true
		return false
	}
	if r != match.Miss {
		a.struck.Add(cell)
	}
	if len(a.witness) == 0 || a.witnessResult(cell) != r {
		a.failed = !a.findWitness()
	}
	return !a.failed
}

// witnessResult returns the result that the witness gives for a cell.
func (a *Audit) witnessResult(cell match.Cell) match.Result {
	hit, afloat := -1, false
	for i := range a.witness {
		afloat = afloat || !a.witness[i].IsSubsetOf(&a.struck)
		if a.witness[i].Has(cell) {
			hit = i
		}
	}
	switch {
	case hit < 0:
		return match.Miss
	case !a.witness[hit].IsSubsetOf(&a.struck):
		return match.Hit
	case afloat:
		return match.Sunk
	}
	return match.LastSunk
}

// findWitness looks for a layout that explains all results and makes it the witness. It returns false
// if there is none. If the search takes too long, it returns true, because only a proven
// contradiction counts.
func (a *Audit) findWitness() bool {
	if a.posterior == nil {
		a.posterior = layouts.NewPosterior(a.geometry, rand.New(rand.NewPCG(1, 2)))
	}
	a.witness = a.witness[:0]
	if !a.posterior.ReadLog(a.log) {
		return false
	}
	positions, certain := a.posterior.FindLayout(searchDraws, searchSteps)
	for _, n := range positions {
		a.witness = append(a.witness, a.geometry.Ship(n).Cells())
	}
	return positions != nil || !certain
}
