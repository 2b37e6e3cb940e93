package match

// Fleet is a layout that is being shot at: it answers each shot with the
// truth.
type Fleet struct {
	layout Layout
	hulls  []Set  // the cells of each ship
	unhit  []int8 // how many of them have not been shot at
	afloat int    // ships with an unhit cell
	shots  Set
}

// NewFleet is a fleet that nobody has shot at yet. The layout must be legal
// and must not be changed afterwards.
func NewFleet(l Layout) *Fleet {
	f := &Fleet{layout: l, hulls: make([]Set, len(l)), unhit: make([]int8, len(l))}
	for i, ship := range l {
		f.lay(i, ship)
	}
	return f
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

// Shoot takes a shot at a cell and answers it. A cell shot at before gets its
// truth at this moment: a hit while its ship floats, a sinking after that.
func (f *Fleet) Shoot(cell Cell) Result {
	repeated := f.shots.Has(cell)
	f.shots.Add(cell)
	for i := range f.hulls {
		if !f.hulls[i].Has(cell) {
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
