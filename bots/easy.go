package bots

import "broadside/match"

// easy shoots at random at the cells it has not tried yet. It does not even see
// that some of them must be water.
type easy struct{ base }

func newEasy(c Config) *easy { return &easy{base{c.Rules, c.Rand}} }

// Fire is any cell not shot at.
func (b *easy) Fire(chart *match.Chart) match.Cell {
	return b.pick(untried(chart))
}

// Told is of no use to it.
func (b *easy) Told(match.Cell, match.Result) {}
