package audit

import (
	"sync"

	"broadside/match"
)

// auditBudget limits a search, in steps of about 1 µs. In 2,500 games against sides that
// tried to make the search hard, classic fleets took at most 1,900 steps, and fleets that
// may touch at most 9,700.
const auditBudget = 20_000

// search looks for a layout that explains all results and makes it the witness. It
// returns false if there is none. A search that exceeds its budget returns true, because
// only a proven contradiction counts.
func (a *Audit) search() bool {
	s := a.newSearch()
	defer s.done()
	for _, class := range a.rules.Fleet {
		s.left[class.Length]++
	}
	at := &s.stages[0]
	at.sinkings, at.struck, at.free = a.sinking, a.struck, a.rules.Board()
	at.free.Exclude(&a.water)
	found := s.coverSunk()
	a.steps = s.steps
	if !found {
		a.witness = nil
		return s.steps > auditBudget
	}
	if a.witness == nil {
		a.witness = &witness{hulls: make([]match.Set, len(a.rules.Fleet))}
	}
	for i, class := range a.rules.Fleet {
		for j := range s.placed[:s.n] {
			if ship := &s.placed[j]; ship.Length == class.Length {
				a.witness.hulls[i] = ship.Cells()
				ship.Length = 0
				break
			}
		}
	}
	return true
}

// auditSearch is one depth-first search for a witness. It first places the sunk ships;
// all their cells are struck, the last one with the result Sunk. Then it places the
// floating ships: first those that explain the other struck cells, then those without
// hits.
type auditSearch struct {
	*Audit
	left   [match.MaxLength + 1]int8 // ships not placed yet, by length
	placed [match.MaxShips]match.Ship
	n      int // number of ships placed
	steps  int
	halos  [match.MaxShips]match.Set // of the ships of a witness being repaired
	sweep  sweep
	// refuted holds, by length and heading, the sterns of ships that cannot be combined
	// with the ships placed so far.
	refuted [match.MaxLength + 1]places
	// stages[n] is the remaining work after n ships are placed. Set stages[0] and left
	// before the search.
	stages [match.MaxShips + 1]stage
}

// stage is the remaining work of a search after some ships are placed.
type stage struct {
	sinkings match.Set                   // cells whose sinking no placed ship explains
	struck   match.Set                   // struck cells that no placed ship covers
	free     match.Set                   // cells where ships may still be placed
	sterns   [match.MaxLength + 1]places // possible sterns of floating ships, by length
	most     [match.MaxLength + 1]int    // maximum number of struck cells that one such ship can explain
	refuted  places                      // initial value of auditSearch.refuted for one length
}

// searches pools the memory of searches, which would double the stacks of the goroutines that
// play.
var searches = sync.Pool{New: func() any { return new(auditSearch) }}

func (a *Audit) newSearch() *auditSearch {
	s := searches.Get().(*auditSearch)
	s.Audit, s.left, s.n, s.steps = a, [match.MaxLength + 1]int8{}, 0, 0
	s.refuted = [match.MaxLength + 1]places{}
	return s
}

func (s *auditSearch) done() {
	s.Audit = nil
	searches.Put(s)
}

// push places a ship. The caller must have set the stage after it.
func (s *auditSearch) push(ship match.Ship) {
	s.placed[s.n] = ship
	s.n++
	s.left[ship.Length]--
}

func (s *auditSearch) pop() {
	s.n--
	s.left[s.placed[s.n].Length]++
}

// coverSunk covers each cell whose result was a sinking with a sunk ship, and continues
// the search.
func (s *auditSearch) coverSunk() bool {
	at := &s.stages[s.n]
	if at.sinkings.Empty() {
		at.free.Exclude(&s.sunk)
		return s.coverAfloat()
	}
	if s.steps++; s.steps > auditBudget {
		return false
	}
	cell := at.sinkings.Nth(0)
	for length, n := range s.left {
		if n == 0 {
			continue
		}
		for _, heading := range keels {
			for back := range length {
				ship := match.Ship{Stern: cell.Step(heading, -back), Heading: heading, Length: length}
				if !s.rules.Contains(ship.Stern) || !s.rules.Contains(ship.Bow()) {
					continue
				}
				if s.trySunk(at, ship) {
					return true
				}
			}
		}
	}
	return false
}

// trySunk places a sunk ship and continues the search. If that fails, it removes the ship
// and returns false.
func (s *auditSearch) trySunk(at *stage, ship match.Ship) bool {
	if !s.laySunk(at, ship) {
		return false
	}
	if s.coverSunk() {
		return true
	}
	s.pop()
	return false
}

// laySunk places a sunk ship, unless that contradicts the results. It and layAfloat are
// separate functions so that their sets don't enlarge the stack frames of the recursive
// ones.
func (s *auditSearch) laySunk(at *stage, ship match.Ship) bool {
	cells := ship.Cells()
	if !cells.Within(&at.struck) || !s.sunkBy(ship) {
		return false
	}
	next := &s.stages[s.n+1]
	next.sinkings, next.struck, next.free = at.sinkings, at.struck, at.free
	next.sinkings.Exclude(&cells)
	next.struck.Exclude(&cells)
	halo := s.rules.Contact.Halo(cells)
	next.free.Exclude(&halo)
	if halo.Overlaps(&next.struck) {
		return false
	}
	s.push(ship)
	return true
}

// sunkBy reports whether the results are consistent with a sunk ship whose cells are all
// struck: it was afloat until the last of them was hit.
func (s *auditSearch) sunkBy(ship match.Ship) bool {
	last, afloat, sunk := int16(0), int16(0), int16(never)
	for i := range ship.Length {
		about := s.about(ship.Stern.Step(ship.Heading, i))
		last = max(last, about.struck)
		afloat = max(afloat, about.afloat)
		sunk = min(sunk, about.sunk)
	}
	return afloat < last && last <= sunk
}

// coverAfloat places the floating ships: one on each remaining struck cell, and the
// others wherever there is room.
func (s *auditSearch) coverAfloat() bool {
	at := &s.stages[s.n]
	if s.steps++; s.steps > auditBudget {
		return false
	}
	if !at.struck.Within(&at.free) {
		return false
	}
	s.findSterns(at)
	if at.struck.Empty() {
		return s.placeUnhit(at)
	}
	room := 0
	for length, n := range s.left {
		room += int(n) * at.most[length]
	}
	if at.struck.Len() > room {
		return false
	}
	target, ok := s.hardest(at)
	if !ok {
		return false
	}
	for length, n := range s.left {
		if n == 0 {
			continue
		}
		for k, heading := range keels {
			for back := range length {
				ship := match.Ship{Stern: target.Step(heading, -back), Heading: heading, Length: length}
				if at.sterns[length][k].Has(ship.Stern) && s.tryAfloat(at, ship) {
					return true
				}
			}
		}
	}
	return false
}

// tryAfloat places a floating ship and continues the search. If that fails, it removes
// the ship and returns false.
func (s *auditSearch) tryAfloat(at *stage, ship match.Ship) bool {
	s.layAfloat(at, ship)
	if s.coverAfloat() {
		return true
	}
	s.pop()
	return false
}

func (s *auditSearch) layAfloat(at *stage, ship match.Ship) {
	cells := ship.Cells()
	next := &s.stages[s.n+1]
	next.struck, next.free = at.struck, at.free
	next.struck.Exclude(&cells)
	halo := s.rules.Contact.Halo(cells)
	next.free.Exclude(&halo)
	s.push(ship)
}

// placeUnhit places the ships without hits, each time one of the length with the fewest
// positions left.
func (s *auditSearch) placeUnhit(at *stage) bool {
	length, places := s.scarcest(at)
	switch {
	case length == 0:
		return true
	case places < int(s.left[length]):
		return false
	}
	at.refuted = s.refuted[length]
	for k, heading := range keels {
		sterns := &at.sterns[length][k]
		for stern, ok := sterns.Take(); ok; stern, ok = sterns.Take() {
			if s.tryAfloat(at, match.Ship{Stern: stern, Heading: heading, Length: length}) {
				return true
			}
			s.refuted[length][k].Add(stern)
		}
	}
	s.refuted[length] = at.refuted
	return false
}
