package bots

import (
	"math/rand/v2"

	"broadside/match"
)

// deck draws the cells of a board in random order without repetition. A bot that skips
// unwanted cells draws each of the others with equal probability.
type deck struct{ left []match.Cell }

// fill puts all cells of a board into the deck.
func (d *deck) fill(r *match.Rules) { d.left = append(d.left[:0], ordered[r.Size]...) }

// ordered[n] lists the cells of an n×n board, row by row. Copying them takes a tenth of the
// time of generating them.
var ordered = func() (all [match.MaxSize + 1][]match.Cell) {
	for size := range all {
		for y := range size {
			for x := range size {
				all[size] = append(all[size], match.At(x, y))
			}
		}
	}
	return all
}()

// draw returns a random cell that has not been drawn yet, or false if there is none.
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
