package match

import (
	"math/rand/v2"
)

// Where ships may not touch and fill the board densely, nearly all independent
// draws of whole fleets fail, a million for one. There, ship after ship is
// drawn from the places that are still free. That favours layouts whose ships
// leave few places to the next ones; to make up for it, a ship that finds n
// places free goes on with a probability of n/limit only, else all starts over.
// The limit is the same for all layouts, so each layout comes out with the same
// probability, 1 in the product of all limits.

// room returns the number of squares that a ship which touches nobody takes away
// from the others, if the board is one square larger at its right and its
// bottom: its own cells, and those to the right, below and between. Ships keep
// apart exactly if these blocks do, and each lies wholly on the larger board.
func room(length int) int { return 2 * (length + 1) }

// dense reports whether the fleet is drawn ship after ship: when it takes up more
// than half of the larger board.
func (r *Rules) dense() bool {
	if r.Contact != TouchNone {
		return false
	}
	taken := 0
	for _, c := range r.Fleet {
		taken += room(c.Length)
	}
	return 2*taken > (r.Size+1)*(r.Size+1)
}

// limit bounds the number of places for a ship in whatever is left of the larger
// board after squares of it were taken.
//
// Take the places that lie east: blocks of two rows. Let c be the number of
// columns in which both squares of a pair of adjacent rows are left. No more
// than c-length blocks fit into that pair. The sum of c over all pairs counts
// the upright dominoes that are left, at most one less than the squares left in
// each column. That sum makes the most places when it is in as few pairs as
// possible. The places that lie south are bounded by the same number.
func (r *Rules) limit(length, taken int) int {
	side := r.Size + 1
	left := side*side - taken
	dominoes := left - (left+side-1)/side
	full, rest := dominoes/side, dominoes%side
	lying := full*(side-length) + max(0, rest-length)
	return min(r.places(length), 2*lying)
}

// drawDense fills l with one of all legal layouts, each with equal probability.
func (r *Rules) drawDense(rng *rand.Rand, l Layout) {
	for !r.tryDense(rng, l) {
	}
}

// tryDense is one attempt: it fills l, or reports that all starts over.
func (r *Rules) tryDense(rng *rand.Rand, l Layout) bool {
	water := r.Board() // where ships may lie
	taken := 0
	for i, class := range r.Fleet {
		east, south := water.sterns(class.Length)
		lying, upright := east.Len(), south.Len()
		n := rng.IntN(r.limit(class.Length, taken))
		switch {
		case n < lying:
			l[i] = Ship{Stern: east.Nth(n), Heading: East, Length: class.Length}
		case n < lying+upright:
			l[i] = Ship{Stern: south.Nth(n - lying), Heading: South, Length: class.Length}
		default:
			return false
		}
		bow := l[i].southEast()
		for y := l[i].Stern.Y - 1; y <= bow.Y+1; y++ {
			for x := l[i].Stern.X - 1; x <= bow.X+1; x++ {
				water.Remove(Cell{X: x, Y: y})
			}
		}
		taken += room(class.Length)
	}
	return true
}

// sterns are the sterns of all ships of a length that lie wholly in s and head
// east, and of those that head south.
func (s *Set) sterns(length int) (east, south Set) {
	east, south = *s, *s
	for range length - 1 {
		for i, w := range s {
			// In place: word i of a step needs words i and i+1 of the last one.
			e, d := east[i]>>1, south[i]>>Stride
			if i+1 < len(s) {
				e |= east[i+1] << 63
				d |= south[i+1] << (64 - Stride)
			}
			east[i], south[i] = e&w, d&w
		}
	}
	return east, south
}
