package bots

import "broadside/match"

// still never moves.
type still struct{}

func newStill(Config) still { return still{} }

// Move implements [Bot].
func (still) Move(match.FleetStatus) match.Move { return match.Stay }

// drift moves like the documented game of moving fleets: it draws a ship afloat and makes
// its first legal move in the order forward, backward, clockwise, anticlockwise. If the
// ship has no legal move, drift passes, or draws another ship if forced is set.
type drift struct {
	base
	forced bool
}

func newDrift(c Config) *drift { return &drift{base: base{rules: c.Rules, rng: c.Rand}} }

func newForcedDrift(c Config) *drift {
	return &drift{base: base{rules: c.Rules, rng: c.Rand}, forced: true}
}

// Move implements [Bot]. It returns the first legal move of a random ship.
func (b *drift) Move(status match.FleetStatus) match.Move {
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
