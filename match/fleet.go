package match

// Fleet is a layout that is being shot at: it answers each shot with the
// truth.
type Fleet struct {
	layout Layout
	hulls  []Set // the cells of each ship
	shots  Set
}

// NewFleet is a fleet that nobody has shot at yet. The layout must be legal
// and must not be changed afterwards.
func NewFleet(l Layout) *Fleet {
	f := &Fleet{layout: l, hulls: make([]Set, len(l))}
	for i, ship := range l {
		f.hulls[i] = ship.Cells()
	}
	return f
}

// Shoot takes a shot at a cell and answers it. A cell shot at before gets its
// truth at this moment: a hit while its ship floats, a sinking after that.
func (f *Fleet) Shoot(cell Cell) Result {
	f.shots.Add(cell)
	result, afloat := Water, false
	for i := range f.hulls {
		sunk := f.hulls[i].Within(&f.shots)
		afloat = afloat || !sunk
		if f.hulls[i].Has(cell) {
			result = Hit
			if sunk {
				result = Sunk
			}
		}
	}
	if result == Sunk && !afloat {
		return LastSunk
	}
	return result
}
