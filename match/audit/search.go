package audit

import (
	"math/bits"
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

// places holds the sterns of ships of one length, by heading.
type places [2]match.Set

// stage is the remaining work of a search after some ships are placed.
type stage struct {
	sinkings match.Set                   // cells whose sinking no placed ship explains
	struck   match.Set                   // struck cells that no placed ship covers
	free     match.Set                   // cells where ships may still be placed
	sterns   [match.MaxLength + 1]places // possible sterns of floating ships, by length
	most     [match.MaxLength + 1]int    // maximum number of struck cells that one such ship can explain
	refuted  places                      // initial value of auditSearch.refuted for one length
}

// sweep holds the sets that findSterns uses for one heading.
type sweep struct {
	row, run, allHit match.Set
	before, after    match.Set // the struck cells, shifted by one cell along the keel
	beside, around   match.Set // cells next to a struck cell
	count            tally
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

// keels are the two headings that suffice to describe all sets of cells of a ship.
var keels = [2]match.Heading{match.East, match.South}

// headings lists all headings.
var headings = [...]match.Heading{match.North, match.East, match.South, match.West}

// keelStep is the distance in bits from one cell of a ship to the next.
var keelStep = [2]uint{1, match.Stride}

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

// findSterns finds all positions of a floating ship of each remaining length, and the
// maximum number of struck cells that one such ship can explain.
func (s *auditSearch) findSterns(at *stage) {
	apart := s.rules.Contact != match.TouchAny
	hit := !at.struck.Empty()
	longest := match.MaxLength
	for s.left[longest] == 0 && longest > 0 {
		longest--
	}
	at.most = [match.MaxLength + 1]int{}
	w := &s.sweep
	for k, step := range keelStep {
		w.row = at.free
		w.before, w.after = match.Set{}, match.Set{}
		if apart && hit {
			// Exclude cells next to a struck cell that another ship would have to
			// explain.
			w.beside = at.struck.Beside(keelStep[1-k])
			if s.rules.Contact == match.TouchNone {
				w.around = w.beside.Beside(step)
				w.row.Exclude(&w.around)
			}
			w.row.Exclude(&w.beside)
			w.before = at.struck.Up(step)
		}
		w.run, w.allHit = w.row, at.struck
		w.after = at.struck.Down(step)
		w.count = tally{ones: at.struck}
		for length := 2; length <= longest; length++ {
			w.row = w.row.Down(step)
			w.run.Retain(&w.row)
			if hit {
				w.allHit.Retain(&w.after)
				w.count.add(&w.after)
				w.after = w.after.Down(step)
			}
			if s.left[length] == 0 {
				continue
			}
			sterns := &at.sterns[length][k]
			*sterns = w.run
			sterns.Exclude(&s.refuted[length][k])
			if hit {
				sterns.Exclude(&w.allHit)
				if apart {
					sterns.Exclude(&w.before)
					sterns.Exclude(&w.after)
				}
				at.most[length] = max(at.most[length], w.count.most(sterns))
			}
		}
	}
}

// tally counts up to 7 for all cells at once; each set holds one bit of the counts.
type tally struct{ ones, twos, fours match.Set }

func (t *tally) add(s *match.Set) {
	for i := range s {
		one := t.ones[i] & s[i]
		t.ones[i] ^= s[i]
		t.fours[i] |= t.twos[i] & one
		t.twos[i] ^= one
	}
}

// most returns the largest count of a cell in s.
func (t *tally) most(s *match.Set) int {
	n := 0
	left := *s
	for i, bit := range [...]*match.Set{&t.fours, &t.twos, &t.ones} {
		if left.Overlaps(bit) {
			left.Retain(bit)
			n += 4 >> i
		}
	}
	return n
}

// hardest returns the struck cell that the fewest positions of ships can explain. It
// returns false if the cells cannot all be explained.
func (s *auditSearch) hardest(at *stage) (match.Cell, bool) {
	var best match.Cell
	fewest := tooMany
	// If no ship can explain two of some cells, each of them needs its own ship. alone
	// counts such cells by the set of ship lengths that can explain them.
	var alone [1 << (match.MaxLength + 1)]int8
	var reached match.Set
	for c := range at.struck.All() {
		options, lengths := 0, 0
		for length, n := range s.left {
			if n == 0 {
				continue
			}
			here := 0
			for k, step := range keelStep {
				for back := range uint(length) {
					if b := bit(c) - back*step; b < match.Stride*match.MaxSize && at.sterns[length][k][b/64]>>(b%64)&1 != 0 {
						here++
					}
				}
			}
			if here > 0 {
				options += here
				lengths |= 1 << length
			}
		}
		if options < fewest {
			best, fewest = c, options
		}
		if !reached.Has(c) {
			alone[lengths]++
			reach(c, &at.free, bits.Len(uint(lengths))-1, &reached)
		}
	}
	return best, fewest > 0 && s.enough(&alone)
}

// tooMany exceeds any number of positions.
const tooMany = 1 << 30

// reach adds to a set the free cells that a ship through c can cover.
func reach(c match.Cell, free *match.Set, length int, to *match.Set) {
	for _, h := range headings {
		for n := range length {
			next := c.Step(h, n)
			if !free.Has(next) {
				break
			}
			to.Add(next)
		}
	}
}

// enough reports whether, for each set of lengths, there are at least as many ships of
// these lengths as cells that only they can explain.
func (s *auditSearch) enough(alone *[1 << (match.MaxLength + 1)]int8) bool {
	for lengths := uint(4); lengths < uint(len(alone)); lengths += 4 {
		cells, ships := int8(0), int8(0)
		for some := lengths; ; some = (some - 1) & lengths {
			cells += alone[some]
			if some == 0 {
				break
			}
		}
		for left := lengths; left != 0; left &= left - 1 {
			ships += s.left[bits.TrailingZeros(left)]
		}
		if cells > ships {
			return false
		}
	}
	return true
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

// scarcest returns the remaining length with the fewest possible positions, and their
// number. The length is 0 if no ship is left.
func (s *auditSearch) scarcest(at *stage) (length, places int) {
	places = tooMany
	for l, n := range s.left {
		if n == 0 {
			continue
		}
		if here := at.sterns[l][0].Len() + at.sterns[l][1].Len(); here < places {
			length, places = l, here
		}
	}
	return length, places
}
