package board

import (
	"broadside/match"
)

// Enemy returns the board of a side's chart of the enemy's fleet, with the cursor
// ([Nowhere] for none) and the shots of the last turn.
func Enemy(c *match.Chart, aim match.Cell, last ...match.Shot) *Board {
	b := Chart(c)
	b.Aim = aim
	b.markLast(last)
	return b
}

// Own returns a side's own board, with the shots of the opponent's last turn.
func Own(v *match.View, side match.Side) *Board {
	b := Fleet(v, side)
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
