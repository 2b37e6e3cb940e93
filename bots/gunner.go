package bots

import (
	"broadside/match"
)

// gunner fires at random until it hits, then on all sides of its hits. It has not learned yet that ships are straight,
// nor that there may be only water around a sunk ship.
type gunner struct{ base }

func newGunner(c Config) *gunner { return &gunner{base{rules: c.Rules, rng: c.Rand}} }

// Fire implements [Bot]. It returns a random cell not fired at, beside a hit on a ship afloat if there is one.
func (b *gunner) Fire(chart *match.Chart) match.Cell {
	untried := untriedCells(chart)
	var next match.Set
	for hit := range hitsAfloat(chart).All() {
		next = next.Union(lineEnds(match.SetOf(hit), untried))
	}
	if !next.IsEmpty() {
		return b.pickRandom(next)
	}
	return b.pickRandom(untried)
}
