// Package audit checks the results given by sides that keep their fleets: whether any
// legal layout explains all of them.
//
// Other programs may import this package: docs/library.md says which changes they can expect.
package audit

import (
	"math"

	"broadside/match"
)

// Mode defines what follows from results that cannot all be true. It implements
// [match.AuditMode].
type Mode uint8

// The modes.
const (
	Flag    Mode = iota // the match is marked as disputed and continues
	Forfeit             // the side loses
	Off                 // results are not checked
)

// New implements [match.AuditMode].
func (m Mode) New(r match.Rules) match.Auditor {
	if m == Off {
		return nil
	}
	return New(r)
}

// Forfeits implements [match.AuditMode].
func (m Mode) Forfeits() bool { return m == Forfeit }

// Audit tracks the results of a side that keeps its fleet and reports whether they can
// all be true, that is, whether a legal layout explains all of them. The verdict
// "impossible" is always correct. The verdict "possible" is also correct, unless the
// search exceeded its budget, which cannot happen with the fleets of the presets.
//
// Audit keeps one fleet that explains all results so far (the witness) and searches for
// another only when a result contradicts it, so most results cost almost nothing.
//
// If ships move, movingAudit does the work; its verdict "impossible" is always correct,
// too.
type Audit struct {
	moving    *movingAudit // nil unless ships move
	rules     match.Rules
	water     match.Set // cells with the result Water
	struck    match.Set // cells with any other result
	sinking   match.Set // struck cells whose first result was Sunk or LastSunk
	sunk      match.Set // struck cells with any such result
	answers   int16     // results so far, including repeated shots; cannot overflow within a game
	shotFacts []shotFacts
	witness   *witness // explains all results so far; nil before the first search
	failed    bool
	steps     int // of the last search
}

// shotFacts records what the results at one struck cell reveal about its ship. Shots are
// counted from 1.
type shotFacts struct {
	struck int16 // the shot that struck the cell
	afloat int16 // the last shot after which the ship was reported afloat
	sunk   int16 // the first shot after which it was reported sunk, or never
}

const never = math.MaxInt16

// New returns an audit without results. The rules must be valid.
func New(r match.Rules) *Audit {
	if r.Moving && len(r.Fleet) > match.LastShips {
		return &Audit{rules: r, moving: newMovingAudit(r)}
	}
	return &Audit{rules: r, shotFacts: make([]shotFacts, r.Size*r.Size)}
}

func (a *Audit) about(c match.Cell) *shotFacts { return &a.shotFacts[int(c.Y)*a.rules.Size+int(c.X)] }

// Add records the result of a shot at a cell of the board and reports whether all results
// so far can be true. Once it has returned false, it always does.
func (a *Audit) Add(cell match.Cell, r match.Result) bool {
	if a.failed {
		return false
	}
	if a.moving != nil {
		a.failed = !a.moving.add(cell, r)
		return !a.failed
	}
	a.answers++
	if !a.enter(cell, r) {
		a.failed = true
	} else if a.witness == nil || a.witness.answer(cell, &a.struck) != r {
		a.failed = !a.repair(cell) && !a.search()
	}
	return !a.failed
}

// enter records the result. It returns false if the result contradicts an earlier one for
// the same cell, or the size of the fleet.
func (a *Audit) enter(cell match.Cell, r match.Result) bool {
	about := a.about(cell)
	switch {
	case a.water.Has(cell):
		return r == match.Water
	case a.struck.Has(cell):
		switch r {
		case match.Hit:
			about.afloat = a.answers
		case match.Sunk:
			about.sunk = min(about.sunk, a.answers)
			a.sunk.Add(cell)
		default:
			return false
		}
		return true
	case r == match.Water:
		a.water.Add(cell)
		return true
	}
	a.struck.Add(cell)
	*about = shotFacts{struck: a.answers, sunk: never}
	if r == match.Hit {
		about.afloat = a.answers
	} else {
		about.sunk = a.answers
		a.sinking.Add(cell)
		a.sunk.Add(cell)
	}
	all := a.struck.Len() == a.rules.FleetCells()
	return all == (r == match.LastSunk)
}

// witness is a fleet that explains all results so far.
type witness struct{ hulls []match.Set }

// answer returns the result that the witness gives for a cell. The set struck has all
// struck cells, including this one if it was struck.
func (w *witness) answer(cell match.Cell, struck *match.Set) match.Result {
	hit := -1
	for i := range w.hulls {
		if w.hulls[i].Has(cell) {
			hit = i
		}
	}
	switch {
	case hit < 0:
		return match.Water
	case !w.hulls[hit].Within(struck):
		return match.Hit
	}
	for i := range w.hulls {
		if !w.hulls[i].Within(struck) {
			return match.Sunk
		}
	}
	return match.LastSunk
}

// bit returns the number of a cell's bit in a set.
func bit(c match.Cell) uint { return uint(int(c.Y)*match.Stride + int(c.X)) }
