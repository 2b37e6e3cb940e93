package board

import (
	"time"

	"broadside/match"
	"broadside/tui/term/colour"
)

// BlastInterval returns the time between two steps of a shot's animation.
func BlastInterval(r match.Result) time.Duration {
	if isSunk(r) {
		return 100 * time.Millisecond
	}
	return 80 * time.Millisecond
}

// BlastSteps returns the number of steps of a shot's animation.
func BlastSteps(r match.Result) int {
	if isSunk(r) {
		return 4
	}
	return 3
}

func isSunk(r match.Result) bool { return r != match.Miss && r != match.Hit }

// DrawBlast draws one step of a shot's animation. The first step is 0. The board must already show the shot's
// result. Symbols do not change, except those of a sunk ship.
func (b *Board) DrawBlast(at match.Cell, r match.Result, step int) {
	p := b.cellAt(int(at.X), int(at.Y))
	if p == &outsideCell || step < 0 || step >= BlastSteps(r) {
		return
	}
	switch {
	case isSunk(r) && p.sunk:
		b.drawSinking(at, p, step)
	case step == 0:
		p.tileFlash = colour.Flash
	case r == match.Miss:
		p.tileFlash = colour.Spray
		b.tintRing(at, step, colour.RingNear, colour.RingFar)
	default:
		p.tileFlash = []colour.Name{colour.Fire, colour.Ember}[min(step, 2)-1]
		b.tintRing(at, 1, []colour.Name{colour.GlowNear, colour.GlowFar}[min(step, 2)-1], colour.None)
	}
}

// tintRing tints the water around a cell: in step 1 the four cells beside it, in step 2 the diagonal ones.
func (b *Board) tintRing(at match.Cell, step int, near, far colour.Name) {
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			n := b.cellAt(int(at.X)+dx, int(at.Y)+dy)
			if n == &outsideCell || step == 0 || dx*dx+dy*dy != step {
				continue
			}
			n.waterTint = far
			if step == 1 {
				n.waterTint = near
			}
		}
	}
}

// drawSinking draws a step of a ship that sinks from stern to bow. The water beside the hit becomes calm in the
// last step.
func (b *Board) drawSinking(at match.Cell, hit *cell, step int) {
	length := 0
	for i := range b.cells {
		if b.cells[i].ship == hit.ship {
			length++
		}
	}
	sunkSections := length * step / (BlastSteps(match.Sunk) - 1)
	for i := range b.cells {
		c := &b.cells[i]
		if c.ship != hit.ship {
			continue
		}
		if b.distanceToStern(i%b.size, i/b.size, c) >= sunkSections {
			c.tileFlash, c.sign = colour.Hit, 'X'
		}
		if step == 0 && c == hit {
			c.tileFlash = colour.Flash
		}
	}
	if step == BlastSteps(match.Sunk)-1 {
		b.tintRing(at, 1, colour.Calm, colour.None)
	}
}

// distanceToStern returns how many cells a section of a ship is away from the stern.
func (b *Board) distanceToStern(x, y int, c *cell) (n int) {
	back := c.part.Heading.Rotate(2)
	for at := match.NewCell(x, y); !b.cellAt(int(at.X), int(at.Y)).part.Stern && n < b.size; n++ {
		at = at.Step(back, 1)
	}
	return n
}
