package match

import (
	"slices"
)

// Fleet is a layout that is being shot at, and may move: it answers each shot
// with the truth.
type Fleet struct {
	layout Layout
	hulls  []Set  // the cells of each ship
	unhit  []int8 // how many of them have not been shot at
	afloat int    // ships with an unhit cell
	shots  Set    // at those cells; where ships have moved, their hits alone are right
}

// NewFleet returns a fleet that nobody has shot at yet. The layout must be legal
// and must not be changed afterwards.
func NewFleet(l Layout) *Fleet {
	f := &Fleet{}
	f.Reset(l)
	return f
}

// Reset makes f what [NewFleet] makes of a layout, in the memory that it has
// already.
func (f *Fleet) Reset(l Layout) {
	f.layout = l
	f.hulls = slices.Grow(f.hulls[:0], len(l))[:len(l)]
	f.unhit = slices.Grow(f.unhit[:0], len(l))[:len(l)]
	f.afloat, f.shots = len(l), Set{}
	for i, ship := range l {
		f.hulls[i], f.unhit[i] = ship.Cells(), int8(ship.Length)
	}
}

// lay puts ship i, until now elsewhere or nowhere, where it would have taken
// the shots at its cells.
func (f *Fleet) lay(i int, ship Ship) {
	if f.unhit[i] > 0 {
		f.afloat--
	}
	f.hulls[i] = ship.Cells()
	f.unhit[i] = int8(f.hulls[i].Minus(f.shots).Len())
	if f.unhit[i] > 0 {
		f.afloat++
	}
}

// Moved puts ship i elsewhere. Its hits go with it, and shots that fell into
// the sea where it lies now did not hit it.
func (f *Fleet) Moved(i int, to Ship) {
	damage := f.damage(i)
	f.shots.Exclude(&f.hulls[i])
	f.hulls[i] = to.Cells()
	f.shots.Exclude(&f.hulls[i])
	for n := range to.Length {
		if damage>>n&1 != 0 {
			f.shots.Add(to.Stern.Step(to.Heading, n))
		}
	}
	f.layout = slices.Clone(f.layout) // whoever holds the old one keeps it
	f.layout[i] = to
}

// Layout is where the ships lie now. It must not be changed, and does not
// change when ships move.
func (f *Fleet) Layout() Layout { return f.layout }

// Afloat returns the number of ships afloat.
func (f *Fleet) Afloat() int { return f.afloat }

// Damage tells which segments of the ships are hit.
func (f *Fleet) Damage() (d Damage) {
	for i := range f.layout {
		d[i] = f.damage(i)
	}
	return d
}

func (f *Fleet) damage(i int) (d uint8) {
	if ship := &f.layout[i]; int(f.unhit[i]) < ship.Length {
		for n := range ship.Length {
			if f.shots.Has(ship.Stern.Step(ship.Heading, n)) {
				d |= 1 << n
			}
		}
	}
	return d
}

// Shoot takes a shot at a cell and answers it. A cell shot at before gets its
// truth at this moment: a hit while its ship floats, a sinking after that.
func (f *Fleet) Shoot(cell Cell) Result {
	if !cell.valid() {
		return Water
	}
	word, bit := cell.bit()/64, uint64(1)<<(cell.bit()%64)
	repeated := f.shots[word]&bit != 0
	f.shots[word] |= bit
	for i := range f.hulls {
		if f.hulls[i][word]&bit == 0 {
			continue
		}
		if !repeated {
			f.unhit[i]--
			if f.unhit[i] == 0 {
				f.afloat--
			}
		}
		switch {
		case f.unhit[i] > 0:
			return Hit
		case f.afloat > 0:
			return Sunk
		}
		return LastSunk
	}
	return Water
}
