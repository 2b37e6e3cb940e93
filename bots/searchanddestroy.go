package bots

import (
	"broadside/match"
)

// searchAndDestroy is the attack of the original game of moving fleets. The first hit is
// the centre of a cross with four arms of up to four cells: north, east, south and west. The
// attack follows one arm until a miss or the edge of the board, then the next arm. A second
// hit fixes the direction: the attack finishes that arm and continues with the opposite one.
// When that ends too, the ship counts as sunk. Cells already hit are skipped.
//
// If ships do not move, the chart knows more than the original did: a cell known to be
// water ends an arm like a miss, and a sinking ends the attack.
type searchAndDestroy struct {
	active bool
	// first is the centre of the cross.
	first match.Cell
	arm   match.Heading
	walk  walk
}

// walk is an attack's stage.
type walk uint8

const (
	// trying means that the direction is unknown.
	trying walk = iota
	// onward follows the arm that had the second hit.
	onward
	// back follows the opposite arm.
	back
)

// armLength is the length of an arm. Ships have at most five cells.
const armLength = 4

// nextTarget returns the next cell of an attack, or false if there is nothing to attack. The other hits of a
// salvo are attacked one after another.
func (s *searchAndDestroy) nextTarget(chart *match.Chart, open match.Set) (match.Cell, bool) {
	if c, ok := s.attack(chart, open); ok {
		return c, true
	}
	if !chart.Rules.Salvo {
		return match.Cell{}, false
	}
	for hit := range chart.Hits.All() {
		s.start(hit)
		if c, ok := s.attack(chart, open); ok {
			return c, true
		}
	}
	return match.Cell{}, false
}

func (s *searchAndDestroy) start(first match.Cell) {
	*s = searchAndDestroy{active: true, first: first, arm: match.North}
}

// attack returns the next cell of the attack, or false if none is in progress.
func (s *searchAndDestroy) attack(chart *match.Chart, open match.Set) (match.Cell, bool) {
	// A sinking by a shot fired when time ran out ends the attack as well.
	for s.active = s.active && chart.Hits.Has(s.first); s.active; s.nextArm() {
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

func (s *searchAndDestroy) nextArm() {
	switch {
	case s.walk == trying && s.arm < match.West:
		s.arm++
	case s.walk == onward:
		s.arm, s.walk = s.arm.Rotate(2), back
	default:
		s.active = false
	}
}

// observe adds a result.
func (s *searchAndDestroy) observe(cell match.Cell, r match.Result) {
	switch r {
	case match.Hit:
		switch {
		case !s.active:
			s.start(cell)
		case s.walk == trying && s.isOnArm(cell):
			s.walk = onward
		}
	case match.Sunk, match.LastSunk:
		if s.isOnArm(cell) {
			s.active = false
		}
	}
}

func (s *searchAndDestroy) isOnArm(cell match.Cell) bool {
	for i := 1; i <= armLength; i++ {
		if s.first.Step(s.arm, i) == cell {
			return true
		}
	}
	return false
}

// orderedSearch is a strategy that fires at cells in a predetermined order and pauses for an
// attack after each hit.
type orderedSearch struct {
	base
	searchAndDestroy
	// order has the remaining cells. It starts with all cells of the board.
	order []match.Cell
}

// Fire implements [Bot]. It continues the attack or the order.
func (b *orderedSearch) Fire(chart *match.Chart) match.Cell {
	for _, shot := range b.newShots(chart) {
		b.observe(shot.Cell, shot.Result)
	}
	open := openCells(chart)
	if c, ok := b.nextTarget(chart, open); ok {
		return c
	}
	for len(b.order) > 0 {
		c := b.order[0]
		if open.Has(c) {
			return c
		}
		b.order = b.order[1:]
	}
	// Only false results lead here.
	return b.pickRandom(open)
}
