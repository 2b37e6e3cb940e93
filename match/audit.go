package match

// Audit follows the answers of a side that keeps its fleet to itself and tells
// whether they can all be true: whether a legal layout exists that would have
// given each of them. For rules without moving ships the verdict "they cannot"
// is always right. The verdict "they can" is right too, unless the search for
// a layout was given up after its bound of work, which the fleets of the
// presets do not reach.
//
// It keeps one layout that explains every answer so far (the witness) and
// looks for another one only when an answer contradicts it, so most answers
// cost next to nothing.
type Audit struct {
	rules   Rules
	board   Set
	water   Set      // cells answered with water
	struck  Set      // cells answered with anything else
	sinking Set      // struck cells whose first answer was a sinking
	answers int      // shots answered, repeated ones included
	first   []uint16 // by row-major index: number of the shot that struck the cell, from 1
	floats  []floats // repeated shots that told of a ship still afloat or already sunk
	witness Layout   // explains all answers; empty until the first search
	failed  bool
	budget  int // placements the running search may still try
}

// floats is what the answer to a repeated shot told: that the ship at the
// cell was, or was not, afloat when shot number at had been answered.
type floats struct {
	cell   Cell
	at     uint16
	afloat bool
}

// auditBudget bounds a search to some 10 ms. Searches for the presets' fleets
// have been seen to need a hundredth of it at most.
const auditBudget = 400_000

// NewAudit starts an audit with no answers.
func NewAudit(r Rules) *Audit {
	return &Audit{rules: r, board: r.Board(), first: make([]uint16, r.Size*r.Size)}
}

func (a *Audit) index(c Cell) int { return int(c.Y)*a.rules.Size + int(c.X) }

// Add enters the answer to a shot at a cell of the board and tells whether
// all answers so far can be true. Once they cannot, it stays false.
func (a *Audit) Add(cell Cell, r Result) bool {
	if a.failed {
		return false
	}
	a.answers++
	if !a.enter(cell, r) || (!a.explains() && !a.search()) {
		a.failed = true
	}
	return !a.failed
}

// enter notes the answer; false means that it contradicts an earlier one to
// the same cell, or the size of the fleet.
func (a *Audit) enter(cell Cell, r Result) bool {
	now := uint16(min(a.answers, 1<<16-1))
	switch {
	case a.water.Has(cell):
		return r == Water
	case a.struck.Has(cell):
		if r != Hit && r != Sunk {
			return false
		}
		a.floats = append(a.floats, floats{cell, now, r == Hit})
		return true
	case r == Water:
		a.water.Add(cell)
		return true
	}
	a.struck.Add(cell)
	a.first[a.index(cell)] = now
	if r != Hit {
		a.sinking.Add(cell)
	}
	all := a.struck.Len() == a.rules.FleetCells()
	return all == (r == LastSunk)
}

// explains tells whether the witness would have given every answer.
func (a *Audit) explains() bool {
	if len(a.witness) == 0 {
		return false
	}
	left := a.struck
	for _, ship := range a.witness {
		cells := ship.Cells()
		if !a.fits(ship, &cells) {
			return false
		}
		left = left.Minus(cells)
	}
	return left.Empty()
}

// fits tells whether a ship lying there is in agreement with every answer
// about its own cells.
func (a *Audit) fits(ship Ship, cells *Set) bool {
	if cells.Overlaps(&a.water) {
		return false
	}
	if !cells.Overlaps(&a.struck) {
		return true
	}
	if !cells.Within(&a.struck) {
		if cells.Overlaps(&a.sinking) {
			return false
		}
		return a.floatsAgree(cells, 1<<16)
	}
	var last Cell
	when := uint16(0)
	for i := range ship.Length {
		if c := ship.Stern.Step(ship.Heading, i); a.first[a.index(c)] > when {
			last, when = c, a.first[a.index(c)]
		}
	}
	sinkings := cells.Intersect(a.sinking)
	return sinkings == SetOf(last) && a.floatsAgree(cells, int(when))
}

// floatsAgree tells whether the answers to repeated shots agree with a ship
// on these cells that was sunk by shot number sunk.
func (a *Audit) floatsAgree(cells *Set, sunk int) bool {
	for _, f := range a.floats {
		if cells.Has(f.cell) && f.afloat != (int(f.at) < sunk) {
			return false
		}
	}
	return true
}

// search looks for a layout that explains every answer and makes it the
// witness. False means that there is none; a search that ran out of its
// budget counts as found, for nobody is accused without a proof.
func (a *Audit) search() bool {
	a.budget = auditBudget
	s := auditSearch{Audit: a, ships: make(Layout, len(a.rules.Fleet))}
	if s.cover(a.struck, Set{}) {
		a.witness = s.ships
		return true
	}
	a.witness = nil
	return a.budget < 0
}

// auditSearch is one depth-first search for a witness.
type auditSearch struct {
	*Audit
	ships Layout // placed so far; length 0: not yet
}

// cover places ships until every cell of struck lies under one, then the rest
// of the fleet. Taken is the ground of the ships placed so far.
func (s *auditSearch) cover(struck, taken Set) bool {
	if struck.Empty() {
		return s.rest(0, 0, taken)
	}
	cell := struck.Nth(0)
	for i, class := range s.rules.Fleet {
		if s.ships[i].Length != 0 || s.twin(i) {
			continue
		}
		for _, heading := range [...]Heading{East, South} {
			for back := range class.Length {
				ship := Ship{Stern: cell.Step(heading, -back), Heading: heading, Length: class.Length}
				left, ground, ok := s.lay(ship, struck, taken)
				if !ok {
					continue
				}
				s.ships[i] = ship
				if s.cover(left, ground) {
					return true
				}
				s.ships[i] = Ship{}
			}
		}
	}
	return false
}

// twin tells whether an earlier ship of the same length is still to be
// placed: trying both in the same place would be the same search twice.
func (s *auditSearch) twin(i int) bool {
	return i > 0 && s.rules.Fleet[i-1].Length == s.rules.Fleet[i].Length && s.ships[i-1].Length == 0
}

// rest places the ships that no hit has told of, from ship i on and from
// place number from on, longest first.
func (s *auditSearch) rest(i, from int, taken Set) bool {
	for i < len(s.ships) && s.ships[i].Length != 0 {
		i, from = i+1, 0
	}
	if i == len(s.ships) {
		return true
	}
	length := s.rules.Fleet[i].Length
	for n := from; n < s.rules.places(length); n++ {
		ship := s.rules.place(length, n)
		_, ground, ok := s.lay(ship, Set{}, taken)
		if !ok {
			continue
		}
		next := 0
		if i+1 < len(s.ships) && s.rules.Fleet[i+1].Length == length {
			next = n + 1 // its twin need not try the places before this one again
		}
		s.ships[i] = ship
		if s.rest(i+1, next, ground) {
			return true
		}
		s.ships[i] = Ship{}
	}
	return false
}

// lay tells whether a ship may lie there, beside the ships whose ground is
// taken. It returns the cells of struck that are left for other ships, and the
// ground taken with this ship.
func (s *auditSearch) lay(ship Ship, struck, taken Set) (left, ground Set, ok bool) {
	if s.budget--; s.budget < 0 {
		return left, ground, false
	}
	if !s.rules.Contains(ship.Stern) || !s.rules.Contains(ship.Bow()) {
		return left, ground, false
	}
	cells := ship.Cells()
	if cells.Overlaps(&taken) || !s.fits(ship, &cells) {
		return left, ground, false
	}
	left = struck.Minus(cells)
	halo := s.rules.Contact.halo(cells)
	if halo.Overlaps(&left) { // another ship was hit too close by
		return left, ground, false
	}
	return left, taken.Union(halo), true
}
