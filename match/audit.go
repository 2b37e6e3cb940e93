package match

import (
	"math"
)

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
	rules   Rules
	water   Set   // cells answered with water
	struck  Set   // cells answered with anything else
	sinking Set   // struck cells whose first answer was a sinking
	sunk    Set   // struck cells with any answer of a sinking
	answers int16 // shots answered, repeated ones included; a game ends long before it is full
	told    []told
	witness *Fleet // has answered every shot the same; nil before the first search
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

// NewAudit starts an audit with no answers. The rules must be valid.
func NewAudit(r Rules) *Audit {
	if r.Moving && len(r.Fleet) > fewAfloat {
		return &Audit{rules: r, moving: newMovingAudit(r)}
	}
	return &Audit{rules: r, told: make([]told, r.Size*r.Size)}
}

func (a *Audit) about(c Cell) *told { return &a.told[int(c.Y)*a.rules.Size+int(c.X)] }

// Add enters the answer to a shot at a cell of the board and tells whether
// all answers so far can be true. Once they cannot, it stays false.
func (a *Audit) Add(cell Cell, r Result) bool {
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
	} else if a.witness == nil || a.witness.Shoot(cell) != r {
		a.failed = !a.repair(cell) && !a.search()
	}
	return !a.failed
}

// enter notes the answer; false means that it contradicts an earlier one to
// the same cell, or the size of the fleet.
func (a *Audit) enter(cell Cell, r Result) bool {
	about := a.about(cell)
	switch {
	case a.water.Has(cell):
		return r == Water
	case a.struck.Has(cell):
		switch r {
		case Hit:
			about.afloat = a.answers
		case Sunk:
			about.sunk = min(about.sunk, a.answers)
			a.sunk.Add(cell)
		default:
			return false
		}
		return true
	case r == Water:
		a.water.Add(cell)
		return true
	}
	a.struck.Add(cell)
	*about = told{struck: a.answers, sunk: never}
	if r == Hit {
		about.afloat = a.answers
	} else {
		about.sunk = a.answers
		a.sinking.Add(cell)
		a.sunk.Add(cell)
	}
	all := a.struck.Len() == a.rules.FleetCells()
	return all == (r == LastSunk)
}
