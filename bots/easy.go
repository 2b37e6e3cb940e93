package bots

import "broadside/match"

// easy shoots at random at the cells it has not tried yet. It does not even see
// that some of them must be water.
type easy struct {
	base
	left []match.Cell // not drawn yet
}

func newEasy(c Config) *easy {
	b := &easy{base: base{c.Rules, c.Rand}, left: make([]match.Cell, 0, c.Rules.Size*c.Rules.Size)}
	for y := range c.Rules.Size {
		for x := range c.Rules.Size {
			b.left = append(b.left, match.At(x, y))
		}
	}
	return b
}

// Fire is any cell not shot at: each is drawn once, in random order, and passed
// over if it has been shot at for the bot since.
func (b *easy) Fire(chart *match.Chart) match.Cell {
	for last := len(b.left) - 1; last >= 0; last-- {
		i := b.rng.IntN(last + 1)
		cell := b.left[i]
		b.left[i] = b.left[last]
		b.left = b.left[:last]
		if !chart.Shots.Has(cell) {
			return cell
		}
	}
	return b.pick(untried(chart))
}

// Told is of no use to it.
func (b *easy) Told(match.Cell, match.Result) {}
