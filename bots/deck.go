package bots

import (
	"math/rand/v2"

	"broadside/match"
)

// deck holds the cells of a board, to be drawn one after the other in random
// order. A bot that passes over those it does not want has drawn one of the
// others, each with equal probability, and need not count them.
type deck struct{ left []match.Cell }

func newDeck(r match.Rules) deck {
	d := deck{left: make([]match.Cell, r.Size*r.Size)}
	rest := d.left
	for y := range int8(r.Size) {
		for x := range int8(r.Size) {
			rest[x] = match.Cell{X: x, Y: y}
		}
		rest = rest[r.Size:]
	}
	return d
}

// draw is a cell that has not been drawn yet; false if all have.
func (d *deck) draw(rng *rand.Rand) (match.Cell, bool) {
	last := len(d.left) - 1
	if last < 0 {
		return match.Cell{}, false
	}
	i := rng.IntN(last + 1)
	cell := d.left[i]
	d.left[i] = d.left[last]
	d.left = d.left[:last]
	return cell, true
}
