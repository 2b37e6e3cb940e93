// Package audit checks the answers of sides that keep their fleets to themselves:
// whether a legal layout exists that would have given all of them.
package audit

import (
	"math"

	"broadside/match"
)

// The bounds of ships and fleets.
const (
	maxShips  = match.MaxShips
	maxLength = len(match.Chart{}.Afloat) - 1
)

// Mode says what follows from answers that cannot all be true. It implements
// [match.AuditMode].
type Mode uint8

// The modes.
const (
	Flag    Mode = iota // the match is marked as disputed and goes on
	Forfeit             // the side loses
	Off                 // nobody checks
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

// Audit follows the answers of a side that keeps its fleet to itself and tells
// whether they can all be true: whether a legal layout exists that would have
// given each of them. The verdict "they cannot" is always right. The verdict
// "they can" is right too, unless the search for a layout was given up after
// its bound of work, which the fleets of the presets do not reach.
//
// It keeps one fleet that explains every answer so far (the witness) and looks
// for another one only when an answer contradicts it, so most answers cost
// next to nothing.
//
// Where ships move, all this is another matter: see movingAudit for what is
// exact there. That it never accuses a side that tells the truth holds as well.
type Audit struct {
	moving  *movingAudit // what does the work where ships can move; else nil
	rules   match.Rules
	water   match.Set // cells answered with water
	struck  match.Set // cells answered with anything else
	sinking match.Set // struck cells whose first answer was a sinking
	sunk    match.Set // struck cells with any answer of a sinking
	answers int16     // shots answered, repeated ones included; a game ends long before it is full
	told    []told
	witness *witness // would have answered every shot the same; nil before the first search
	failed  bool
	steps   int // of the last search
}

// told is what the answers to the shots at one struck cell have told of its
// ship. Shots are counted from 1.
type told struct {
	struck int16 // the shot that struck the cell
	afloat int16 // the last shot after which the ship was said to float
	sunk   int16 // the first shot after which it was said to be sunk, or never
}

const never = math.MaxInt16

// New returns an audit with no answers. The rules must be valid.
func New(r match.Rules) *Audit {
	if r.Moving && len(r.Fleet) > match.LastShips {
		return &Audit{rules: r, moving: newMovingAudit(r)}
	}
	return &Audit{rules: r, told: make([]told, r.Size*r.Size)}
}

func (a *Audit) about(c match.Cell) *told { return &a.told[int(c.Y)*a.rules.Size+int(c.X)] }

// Add enters the answer to a shot at a cell of the board and reports whether
// all answers so far can be true. Once they cannot, it stays false.
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

// enter notes the answer; false means that it contradicts an earlier one to
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
	*about = told{struck: a.answers, sunk: never}
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

// witness is a fleet that explains the answers so far.
type witness struct{ hulls []match.Set }

// answer returns the witness's answer for a cell, of which struck are all cells that
// were struck, the cell itself included if it was.
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
