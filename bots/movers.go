package bots

import (
	"fmt"
	"strings"

	"broadside/match"
)

// Mover is a bot that moves its fleet if the rules allow it. Other bots never move their
// fleets.
type Mover interface {
	// Move returns the fleet's move after the opponent's shot: a legal move or match.Stay.
	// It is called when the side may move, at most once per turn and before Fire, with the
	// current fleet.
	Move(helm match.Helm) match.Move
}

type moverEntry struct {
	Info
	make func(c Config) Mover
}

var movers = [...]moverEntry{
	{Info{Name: "stay", About: "it-never-moves"}, func(Config) Mover { return still{} }},
	{Info{Name: "random", About: "a-random-ship-makes-its"}, func(c Config) Mover { return &drift{base: base{c.Rules, c.Rand}} }},
	{Info{Name: "forced", About: "as-random-but-another-ship"}, func(c Config) Mover { return &drift{base: base{c.Rules, c.Rand}, forced: true} }},
	{Info{Name: "evade", About: "ships-leave-the-cells-where"}, func(c Config) Mover { return newEvade(c) }},
}

// Movers lists the available movers. Any bot can use any of them.
func Movers() []Info {
	var all []Info
	for _, m := range movers {
		all = append(all, m.Info)
	}
	return all
}

// findMover returns the constructor of the named mover.
func findMover(name string) (func(Config) Mover, error) {
	for i := range movers {
		if movers[i].Name == name {
			return movers[i].make, nil
		}
	}
	var names []string
	for _, m := range movers {
		names = append(names, m.Name)
	}
	return nil, fmt.Errorf("there is no mover called %q: choose one of %s", name, strings.Join(names, ", "))
}

// still never moves.
type still struct{}

// Move implements [Mover].
func (still) Move(match.Helm) match.Move { return match.Stay }

// drift moves like the documented game of moving fleets: it draws a ship afloat and makes
// its first legal move in the order forward, backward, clockwise, anticlockwise. If the
// ship has no legal move, drift passes, or draws another ship if forced is set.
type drift struct {
	base
	forced bool
}

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
