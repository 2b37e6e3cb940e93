package bots

import (
	"broadside/match"
)

// medium is the level "Mittel" of the original Python game: it fires at random until it
// hits, then chases.
type medium struct {
	chaser
}

func newMedium(c Config) *medium { return &medium{chaser{base{rules: c.Rules, rng: c.Rand}}} }

// Fire implements [Bot]. It continues the chase or returns a random cell that can hold a
// ship.
func (b *medium) Fire(chart *match.Chart) match.Cell {
	open := openCells(chart)
	next := chaseTargets(chart, open)
	if !next.IsEmpty() {
		return b.pickRandom(next)
	}
	return b.pickRandom(open)
}
