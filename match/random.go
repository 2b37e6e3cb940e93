package match

import "math/rand/v2"

// RandomLayout draws a legal layout. All layouts are equally probable. If the rules are not valid
// (see [Rules.Validate]), it may never return.
//
// It draws all ships independently and starts over if two conflict. Redrawing only the
// ship that conflicts would favour some layouts. For fleets that fill the board densely,
// see drawDense.
func (r Rules) RandomLayout(rng *rand.Rand) Layout {
	l := make(Layout, len(r.Fleet))
	if r.isDense() {
		r.drawDense(rng, l)
	} else {
		for !r.tryDraw(rng, l) {
		}
	}
	// Only under moving rules do a ship's two ends differ.
	if r.Moving {
		for i, ship := range l {
			if rng.IntN(2) == 0 {
				l[i] = Ship{Stern: ship.Bow(), Heading: ship.Heading.Rotate(2), Length: ship.Length}
			}
		}
	}
	return l
}

// tryDraw fills l with random ships and reports whether they are a legal layout.
func (r *Rules) tryDraw(rng *rand.Rand, l Layout) bool {
	var spans [MaxShips]Span
	for i := range r.Fleet {
		length := r.Fleet[i].Length
		spans[i] = r.nthPlace(length, rng.IntN(r.placeCount(length)))
		for j := range i {
			if r.Contact.Clashes(&spans[i], &spans[j]) {
				return false
			}
		}
	}
	for i := range l {
		l[i] = spans[i].ship(r.Fleet[i].Length)
	}
	return true
}

// Span is the first and the last cell of a ship that heads east or south.
type Span struct{ stern, bow Cell }

// ship returns a span's ship.
func (s *Span) ship(length int) Ship {
	heading := East
	if s.stern.X == s.bow.X {
		heading = South
	}
	return Ship{Stern: s.stern, Heading: heading, Length: length}
}

// Clashes reports whether two ships are closer together than the rule allows. For two ships it
// is much faster than Halo. It computes with int because the compiler generates code without
// branches for int, but not for int8.
func (c Contact) Clashes(a, b *Span) bool {
	// dx and dy are 1 for ships in adjacent columns and rows.
	dx := max(int(b.stern.X)-int(a.bow.X), int(a.stern.X)-int(b.bow.X), 0)
	dy := max(int(b.stern.Y)-int(a.bow.Y), int(a.stern.Y)-int(b.bow.Y), 0)
	switch c {
	case TouchAny:
		return dx+dy == 0
	case TouchCorners:
		return dx+dy <= 1
	default:
		return max(dx, dy) <= 1
	}
}

func (r *Rules) placeCount(length int) int { return 2 * (r.Size - length + 1) * r.Size }

// nthPlace returns place n of a ship. Places heading east come first, then those heading south. It
// has no branch, because the processor could not predict it.
func (r *Rules) nthPlace(length, n int) Span {
	along := r.Size - length + 1
	east, south := length-1, 0
	if n >= along*r.Size {
		n, east, south = n-along*r.Size, 0, length-1
	}
	// Division of uint32 is faster than that of int.
	a, b := int(uint32(n)%uint32(along)), int(uint32(n)/uint32(along))
	if south > 0 {
		a, b = b, a
	}
	return Span{Cell{int8(a), int8(b)}, Cell{int8(a + east), int8(b + south)}}
}

const (
	// placementTries limits the work of [Rules.Validate]. A modern processor makes so many
	// independent draws in about a third of a second.
	placementTries = 8_000_000
	// placementProbes is how many of those draws must succeed, so that one lucky draw is
	// not enough.
	placementProbes = 3
)

// checkDensity returns an error if no layout exists or none can be drawn in bounded work.
func (r Rules) checkDensity() error {
	if r.FleetCellCount() > r.Size*r.Size {
		return NewProblem("this fleet does not fit on this board: choose fewer ships, a larger board or a looser contact rule")
	}
	// The seed is fixed, so that the same rules always give the same result.
	rng := rand.New(rand.NewPCG(1, 2))
	l := make(Layout, len(r.Fleet))
	for found, try := 0, 0; found < placementProbes; try++ {
		if try == placementTries {
			return NewProblem("%v (fleet of %d, board %d×%d)", NewProblem("this fleet fills the board too densely to be placed at random: choose fewer ships, a larger board or a looser contact rule"), len(r.Fleet), r.Size, r.Size)
		}
		if r.tryDraw(rng, l) {
			found++
		}
	}
	return nil
}
