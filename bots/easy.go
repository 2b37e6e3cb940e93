package bots

import (
	"broadside/match"
)

// easy shoots at random cells that it has not shot at, even if they must be water.
type easy struct {
	base
	deck deck
}

func newEasy(c Config) *easy {
	b := &easy{base: base{c.Rules, c.Rand}}
	b.renew()
	return b
}

func (b *easy) renew() { b.deck.fill(&b.rules) }

// Fire implements [Bot]. It returns a random cell not shot at.
func (b *easy) Fire(chart *match.Chart) match.Cell {
	for {
		cell, ok := b.deck.draw(b.rng)
		if !ok {
			return b.pick(untried(chart))
		}
		if !chart.Shots.Has(cell) {
			return cell
		}
	}
}

// Observe implements [Bot]. easy ignores results.
func (b *easy) Observe(match.Cell, match.Result) {}
