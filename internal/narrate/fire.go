package narrate

import (
	"broadside/internal/i18n"
	"broadside/match"
)

// ReasonNotToFire says why the reader cannot or should not fire at a cell now. It is zero if there is no reason.
func (n *Narrator) ReasonNotToFire(v *match.View, at match.Cell) i18n.Message {
	switch {
	case v.Phase == match.Placing:
		return i18n.NewMessage("The battle has not started: %s is still placing ships.", n.opponentName())
	case v.Turn != n.Side:
		return i18n.NewMessage("It is not your turn: %s is aiming.", n.opponentName())
	case v.Pending:
		return i18n.NewMessage("Your shot is on its way.")
	}
	return WastedShotReason(&v.Charts[n.Side], v.Shots, at)
}

// WastedShotReason says why one of a turn's shots should not be fired at a cell: it is off the board, or
// nothing new can be learnt there. Otherwise it returns zero.
func WastedShotReason(c *match.Chart, shots int, at match.Cell) i18n.Message {
	switch {
	case !c.Rules.Contains(at):
		last := match.NewCell(c.Rules.Size-1, c.Rules.Size-1)
		return i18n.NewMessage("There is no cell %s: choose A1 to %s.", at.String(), last.String())
	case c.Rules.Moving:
		return i18n.Message{}
	case c.Shots.Has(at):
		return i18n.NewMessage("You have already fired at %s: %s. Choose another cell.", at.String(), MarkName(c.Mark(at)))
	case c.Deduced.Has(at) && c.OpenCells().Len() >= shots:
		// With fewer open cells, some of the turn's shots must be wasted.
		return i18n.NewMessage("%s is next to a sunk ship and must be water. Choose another cell.", at.String())
	}
	return i18n.Message{}
}
