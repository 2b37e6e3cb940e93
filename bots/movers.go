package bots

import "broadside/match"

// stillMover never moves.
type stillMover struct{}

func newStillMover(Config) stillMover { return stillMover{} }

// Move implements [Bot].
func (stillMover) Move(match.FleetStatus) match.Move { return match.Stay }

// driftMover moves like the original game of moving fleets: it draws a ship afloat and makes
// its first legal move in the order forward, backward, clockwise, anticlockwise. If the
// ship has no legal move, drift passes, or draws another ship if forced is set.
type driftMover struct {
	base
	forced bool
}

func newDriftMover(c Config) *driftMover { return &driftMover{base: base{rules: c.Rules, rng: c.Rand}} }

func newForcedDriftMover(c Config) *driftMover {
	return &driftMover{base: base{rules: c.Rules, rng: c.Rand}, forced: true}
}

// Move implements [Bot]. It returns the first legal move of a random ship.
func (b *driftMover) Move(status match.FleetStatus) match.Move {
	for _, i := range b.rng.Perm(len(status.Layout)) {
		if status.Damage.IsSunk(i, status.Layout[i].Length) {
			continue
		}
		for m := range match.MoveKind(match.MoveKinds) {
			move := match.NewMove(i, m)
			if status.CheckMove(move) == nil {
				return move
			}
		}
		if !b.forced {
			break
		}
	}
	return match.Stay
}
