package board

import (
	"broadside/match"
)

// NewAimedChart returns the board of a side's chart of the enemy's fleet, with the cursor
// ([Nowhere] for none) and the shots of the last turn.
func NewAimedChart(c *match.Chart, aim match.Cell, last ...match.Shot) *Board {
	b := NewChart(c)
	b.Aim = aim
	b.markLast(last)
	return b
}

// NewFleetWithLastShots returns a side's own board, with the shots of the opponent's last turn.
func NewFleetWithLastShots(v *match.View, side match.Side) *Board {
	b := NewFleet(v, side)
	b.markLast(v.Last[side.Other()])
	return b
}

// markLast marks the shots of a turn. A shot without a number has not been fired.
func (b *Board) markLast(shots []match.Shot) {
	for _, shot := range shots {
		if shot.Number > 0 {
			b.Last = append(b.Last, shot.Cell)
		}
	}
}
