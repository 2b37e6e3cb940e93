package bots

import (
	"broadside/match"
)

// easy fires at random cells that it has not fired at, even if they must be water.
type easy struct{ base }

func newEasy(c Config) *easy { return &easy{base{rules: c.Rules, rng: c.Rand}} }

// Fire implements [Bot]. It returns a random cell not fired at.
func (b *easy) Fire(chart *match.Chart) match.Cell { return b.pickRandom(untriedCells(chart)) }
