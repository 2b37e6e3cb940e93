package board

import (
	"broadside/match"
)

// Enemy returns the board that shows what a side knows of the other's fleet, with
// the cursor, or [Nowhere], and the last shot.
func Enemy(c *match.Chart, aim match.Cell, last match.Shot) *Board {
	b := Chart(c)
	b.Aim = aim
	b.markLast(last)
	return b
}

// Own returns a side's own board, with the last shot at it.
func Own(v *match.View, side match.Side) *Board {
	b := Fleet(v, side)
	b.markLast(v.Last[side.Other()])
	return b
}

func (b *Board) markLast(shot match.Shot) {
	if shot.Number > 0 {
		b.Last = shot.Cell
	}
}
