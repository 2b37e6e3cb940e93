package match

import "math/rand/v2"

// If ships may not touch and fill the board densely, a million attempts to draw all ships
// independently can fail for each that succeeds. Instead, ships are drawn one after
// another from the positions that are still free. This alone would favour layouts whose
// ships leave few positions for the next ones. To compensate, a ship with n free
// positions is kept only with probability n/limit; otherwise the draw starts over. The
// limits are the same for all layouts, so each layout has the same probability: 1 divided
// by the product of all limits.

// blockSize returns the number of cells that a ship blocks for others when ships may not touch.
// These are its own cells and those to the right and below, on a board extended by one row and
// one column. Ships don't touch if and only if these blocks don't overlap.
func blockSize(length int) int { return 2 * (length + 1) }

// isDense reports whether the fleet takes up more than half of the extended board, and is
// therefore drawn one ship after another.
func (r *Rules) isDense() bool {
	if r.Contact != TouchNone {
		return false
	}
	taken := 0
	for _, c := range r.Fleet {
		taken += blockSize(c.Length)
	}
	return 2*taken > (r.Size+1)*(r.Size+1)
}

// maxPlaces returns an upper bound for the number of places of a ship on the extended board
// after the given number of cells has been taken.
//
// Consider ships that head east, as blocks of two rows. Let c be the number of columns in
// which both squares of a pair of adjacent rows are free. At most c-length blocks fit into
// that pair. The sum of c over all pairs is the number of free vertical dominoes, which is
// at most one less than the free squares in each column. The number of places is largest
// when that sum is concentrated in as few pairs as possible. The same bound holds for ships
// that head south.
func (r *Rules) maxPlaces(length, taken int) int {
	side := r.Size + 1
	left := side*side - taken
	dominoes := left - (left+side-1)/side
	full, rest := dominoes/side, dominoes%side
	lying := full*(side-length) + max(0, rest-length)
	return min(r.placeCount(length), 2*lying)
}

// drawDense fills l with a legal layout. All layouts are equally probable.
func (r *Rules) drawDense(rng *rand.Rand, l Layout) {
	for !r.tryDrawDense(rng, l) {
	}
}

// tryDrawDense makes one attempt to fill l. It returns false if the draw must start over.
func (r *Rules) tryDrawDense(rng *rand.Rand, l Layout) bool {
	// water has the cells where ships may be.
	water := r.Cells()
	taken := 0
	for i, class := range r.Fleet {
		east, south := water.sternsWithin(class.Length)
		lying, upright := east.Len(), south.Len()
		n := rng.IntN(r.maxPlaces(class.Length, taken))
		switch {
		case n < lying:
			l[i] = Ship{Stern: east.Nth(n), Heading: East, Length: class.Length}
		case n < lying+upright:
			l[i] = Ship{Stern: south.Nth(n - lying), Heading: South, Length: class.Length}
		default:
			return false
		}
		bow := l[i].Bow()
		for y := l[i].Stern.Y - 1; y <= bow.Y+1; y++ {
			for x := l[i].Stern.X - 1; x <= bow.X+1; x++ {
				water.Remove(Cell{X: x, Y: y})
			}
		}
		taken += blockSize(class.Length)
	}
	return true
}

// sternsWithin returns the sterns of all ships of a length that are within s, by heading.
func (s *Set) sternsWithin(length int) (east, south Set) {
	east, south = *s, *s
	for range length - 1 {
		for i, w := range s {
			// The step can overwrite its input, because word i needs only words i and i+1 of the last step.
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
