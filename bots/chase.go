package bots

import (
	"slices"

	"broadside/match"
)

// chase follows up a hit: it shoots at the open neighbours of the hits until the ship is
// sunk. Two hits determine the line. If both ends of the line are closed and no ship has
// sunk, the hits belong to several adjacent ships, and each hit is chased as a separate
// ship.
type chase struct {
	target  match.Set   // the hits on the ship being chased
	pending []match.Set // hits on other ships
}

// candidates returns the cells to shoot at next; empty if no ship is being chased.
func (c *chase) candidates(open match.Set) match.Set {
	for {
		if c.target.Empty() {
			if len(c.pending) == 0 {
				return match.Set{}
			}
			c.target, c.pending = c.pending[0], c.pending[1:]
		}
		if next := c.neighbours(open); !next.Empty() {
			return next
		}
		if c.target.Len() > 1 {
			for cell := range c.target.All() {
				c.pending = append(c.pending, match.SetOf(cell))
			}
		}
		c.target = match.Set{}
	}
}

// OpenList implements [Lister].
func (c *chase) OpenList(chart *match.Chart) ([]match.Cell, bool) {
	ahead := chase{c.target, slices.Clone(c.pending)}
	next := ahead.candidates(openCells(chart))
	return slices.Collect(next.All()), true
}

// neighbours returns the open cells at the ends of the target's line, or around a single
// hit.
func (c *chase) neighbours(open match.Set) match.Set {
	var out match.Set
	headings := [...]match.Heading{match.North, match.East, match.South, match.West}
	for cell := range c.target.All() {
		for _, h := range headings {
			if c.target.Len() > 1 && !c.target.Has(cell.Step(h, -1)) {
				continue // not along the line
			}
			if next := cell.Step(h, 1); open.Has(next) {
				out.Add(next)
			}
		}
	}
	return out
}

// Observe implements [Bot].
func (c *chase) Observe(cell match.Cell, r match.Result) {
	switch r {
	case match.Hit:
		c.target.Add(cell)
	case match.Sunk, match.LastSunk:
		c.target = match.Set{}
	}
}
