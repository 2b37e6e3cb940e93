package audit

import "broadside/match"

// repair tries to make the witness explain the result for a cell by moving one ship. This
// is much cheaper than a search and usually succeeds.
func (a *Audit) repair(cell match.Cell) bool {
	f := a.witness
	if f == nil {
		return false
	}
	s := a.newSearch()
	defer s.done()
	halos := &s.halos
	var hulls, once, twice match.Set // once: in the halo of at least one ship
	holder := -1
	for i := range f.hulls {
		halos[i] = a.rules.Contact.Halo(f.hulls[i])
		both := halos[i]
		both.Retain(&once)
		twice.Include(&both)
		once.Include(&halos[i])
		hulls.Include(&f.hulls[i])
		if f.hulls[i].Has(cell) {
			holder = i
		}
	}
	at := &s.stages[0]
	for i := range f.hulls {
		if holder >= 0 && i != holder || i != holder && f.hulls[i].Within(&a.struck) {
			continue
		}
		others, adjacent := hulls, once
		others.Exclude(&f.hulls[i])
		adjacent.Exclude(&halos[i])
		adjacent.Include(&twice)
		at.sinkings, at.struck, at.free = a.sinking, a.struck, a.rules.Board()
		at.sinkings.Exclude(&others)
		at.struck.Exclude(&others)
		at.free.Exclude(&a.water)
		at.free.Exclude(&adjacent)
		if !at.struck.Within(&at.free) {
			continue // too close to another ship
		}
		length := a.rules.Fleet[i].Length
		s.left[length] = 1
		if s.coverSunk() {
			f.hulls[i] = s.placed[0].Cells()
			return true
		}
		s.left[length] = 0
	}
	return false
}
