package bots

import (
	"broadside/match"
)

// sad is the search-and-destroy attack of the documented game of moving
// fleets. Around the first hit it lays a cross of four arms, north, east,
// south and west, each of the four cells outward; cells off the board are
// missing. It walks one arm until a miss or a missing cell, then the next. A
// second hit fixes the direction: the attack stays on that arm, then goes on
// with the opposite one. When that ends too, the ship is taken for sunk. Cells
// already hit are stepped over.
//
// Where ships do not move, the chart knows more than the original did: a cell
// known to be water ends an arm as a miss does, and a sinking ends the attack.
type sad struct {
	on    bool
	first match.Cell // the hit in the middle of the cross
	arm   match.Heading
	walk  walk
}

// walk is how far an attack has come.
type walk uint8

const (
	trying walk = iota // the direction is unknown
	onward             // on the arm that had the second hit
	back               // on the opposite arm
)

// armLength is how far the cross reaches: a ship is at most five cells long.
const armLength = 4

// attack returns the next cell of the attack. It is false when none goes on.
func (s *sad) attack(chart *match.Chart, open match.Set) (match.Cell, bool) {
	// A sinking that the clock's shot brought about ends the attack as well.
	for s.on = s.on && chart.Hits.Has(s.first); s.on; s.nextArm() {
		for i := 1; i <= armLength; i++ {
			c := s.first.Step(s.arm, i)
			if open.Has(c) {
				return c, true
			}
			if !chart.Hits.Has(c) {
				break
			}
		}
	}
	return match.Cell{}, false
}

func (s *sad) nextArm() {
	switch {
	case s.walk == trying && s.arm < match.West:
		s.arm++
	case s.walk == onward:
		s.arm, s.walk = s.arm.Turn(2), back
	default:
		s.on = false
	}
}

// Told implements [Bot].
func (s *sad) Told(cell match.Cell, r match.Result) {
	switch r {
	case match.Hit:
		switch {
		case !s.on:
			*s = sad{on: true, first: cell, arm: match.North}
		case s.walk == trying && s.onArm(cell):
			s.walk = onward
		}
	case match.Sunk, match.LastSunk:
		if s.onArm(cell) {
			s.on = false
		}
	}
}

// onArm reports whether a cell is on the arm being walked.
func (s *sad) onArm(cell match.Cell) bool {
	for i := 1; i <= armLength; i++ {
		if s.first.Step(s.arm, i) == cell {
			return true
		}
	}
	return false
}

// search is a strategy that shoots at cells in an order fixed beforehand, and
// pauses it for an attack after each hit.
type search struct {
	base
	sad
	order []match.Cell // what is left of it; it had each cell of the board
}

// Fire goes on with the attack, or with the order.
func (b *search) Fire(chart *match.Chart) match.Cell {
	open := openCells(chart)
	if c, ok := b.attack(chart, open); ok {
		return c
	}
	for len(b.order) > 0 {
		if c := b.order[0]; open.Has(c) {
			return c
		}
		b.order = b.order[1:]
	}
	return b.pick(open) // reached only after false results
}
