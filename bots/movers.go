package bots

import "broadside/match"

// Mover is a bot that moves its fleet if the rules allow it. Other bots never move their
// fleets.
type Mover interface {
	// Move returns the fleet's move after the opponent's shot: a legal move or match.Stay.
	// It is called when the side may move, at most once per turn and before Fire, with the
	// current fleet.
	Move(helm match.Helm) match.Move
}

// still never moves.
type still struct{}

func newStill(Config) still { return still{} }

// Move implements [Mover].
func (still) Move(match.Helm) match.Move { return match.Stay }

// drift moves like the documented game of moving fleets: it draws a ship afloat and makes
// its first legal move in the order forward, backward, clockwise, anticlockwise. If the
// ship has no legal move, drift passes, or draws another ship if forced is set.
type drift struct {
	base
	forced bool
}

func newDrift(c Config) *drift { return &drift{base: base{c.Rules, c.Rand}} }

func newForcedDrift(c Config) *drift { return &drift{base: base{c.Rules, c.Rand}, forced: true} }

// Move implements [Mover]. It returns the first legal move of a random ship.
func (b *drift) Move(helm match.Helm) match.Move {
	for _, i := range b.rng.Perm(len(helm.Layout)) {
		if helm.Damage.Sunk(i, helm.Layout[i].Length) {
			continue
		}
		for m := range match.Manoeuvre(match.Manoeuvres) {
			if move := match.MoveOf(i, m); helm.Check(move) == nil {
				return move
			}
		}
		if !b.forced {
			break
		}
	}
	return match.Stay
}
