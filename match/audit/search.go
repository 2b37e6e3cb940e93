package audit

import (
	"math/bits"
	"sync"

	"broadside/match"
)

// auditBudget bounds a search, in steps of about 1 µs. Sides that did all they
// could to make it hard, in 2,500 games, have brought classic fleets to 1,900
// steps and those that may touch to 9,700.
const auditBudget = 20_000

// search looks for a layout that explains every answer and makes it the
// witness. False means that there is none; a search that ran out of its
// budget counts as found, for nobody is accused without a proof.
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

// repair tries to make the witness agree with the answer for a cell by moving
// one ship, which is much cheaper than a search and mostly enough.
func (a *Audit) repair(cell match.Cell) bool {
	f := a.witness
	if f == nil {
		return false
	}
	var halos [maxShips]match.Set
	var hulls, once, twice match.Set // once: within the halo of one ship or more
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
	s := a.newSearch()
	defer s.done()
	at := &s.stages[0]
	for i := range f.hulls {
		if holder >= 0 && i != holder || i != holder && f.hulls[i].Within(&a.struck) {
			continue
		}
		others, crowded := hulls, once
		others.Exclude(&f.hulls[i])
		crowded.Exclude(&halos[i])
		crowded.Include(&twice)
		at.sinkings, at.struck, at.free = a.sinking, a.struck, a.rules.Board()
		at.sinkings.Exclude(&others)
		at.struck.Exclude(&others)
		at.free.Exclude(&a.water)
		at.free.Exclude(&crowded)
		if !at.struck.Within(&at.free) {
			continue // it would have to lie too close to another ship
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

// auditSearch is one depth-first search for a witness. It places the sunk
// ships first, all of whose cells have been struck, the last of them with a
// sinking. Then it places the ships that float: those that explain the other
// struck cells, and last those that nobody has hit.
type auditSearch struct {
	*Audit
	left   [maxLength + 1]int8 // ships still to be placed, by length
	placed [maxShips]match.Ship
	n      int // ships placed
	steps  int
	// refuted holds, by length and heading, the sterns of ships that no
	// layout has together with the ships placed so far.
	refuted [maxLength + 1]places
	// stages[n] is what is left to do once n ships are placed; stages[0] is
	// filled in, and left too, before the search begins.
	stages [maxShips + 1]stage
}

// places are the sterns of ships of one length, by heading.
type places [2]match.Set

// stage is what is left to do for a search once it has placed some ships.
type stage struct {
	sinkings match.Set             // cells answered with a sinking of no ship placed so far
	struck   match.Set             // cells that ships still have to explain
	free     match.Set             // cells on which ships may still lie
	sterns   [maxLength + 1]places // where floating ships can lie, by length
	most     [maxLength + 1]int    // of struck, how many cells one such ship can explain
	refuted  places                // what auditSearch.refuted had of a length at the beginning
}

// searches lends memory to searches: a referee that kept as much of it for
// itself, on its stack, would be several times as large.
var searches = sync.Pool{New: func() any { return new(auditSearch) }}

func (a *Audit) newSearch() *auditSearch {
	s := searches.Get().(*auditSearch)
	s.Audit, s.left, s.n, s.steps = a, [maxLength + 1]int8{}, 0, 0
	s.refuted = [maxLength + 1]places{}
	return s
}

func (s *auditSearch) done() {
	s.Audit = nil
	searches.Put(s)
}

// keels are the headings that tell two places of a ship apart for everyone
// who is shot at.
var keels = [2]match.Heading{match.East, match.South}

// headings are all headings.
var headings = [...]match.Heading{match.North, match.East, match.South, match.West}

// keelStep is the distance in bits from one cell of a ship to the next.
var keelStep = [2]uint{1, match.Stride}

// push places a ship. The stage after it has been filled in.
func (s *auditSearch) push(ship match.Ship) {
	s.placed[s.n] = ship
	s.n++
	s.left[ship.Length]--
}

func (s *auditSearch) pop() {
	s.n--
	s.left[s.placed[s.n].Length]++
}

// coverSunk places a ship on each of the cells whose answers were sinkings.
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

// trySunk goes on with a sunk ship placed; without it if that is against the
// answers, or leads nowhere.
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

// laySunk places a sunk ship, unless that is against the answers. It and
// layAfloat have the sets that are only needed for that: what calls itself
// needs little of the referee's stack then.
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

// sunkBy reports whether the answers agree with a ship whose cells have all been
// struck: it floated until the last of them.
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

// coverAfloat places the ships that float: one on each struck cell that is
// left, and the others where they can be.
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

// tryAfloat goes on with a floating ship placed; without it if that leads
// nowhere.
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

// findSterns finds all places for a floating ship of each length that is left,
// and how many of the struck cells one such ship can explain at most.
func (s *auditSearch) findSterns(at *stage) {
	apart := s.rules.Contact != match.TouchAny
	hit := !at.struck.Empty()
	longest := maxLength
	for s.left[longest] == 0 && longest > 0 {
		longest--
	}
	at.most = [maxLength + 1]int{}
	for k, step := range keelStep {
		row := at.free
		var before, after match.Set // the struck cells, moved one cell up or down the keel
		if apart && hit {
			// Not beside a cell that another ship would have to explain.
			beside := at.struck.Beside(keelStep[1-k])
			if s.rules.Contact == match.TouchNone {
				around := beside.Beside(step)
				row.Exclude(&around)
			}
			row.Exclude(&beside)
			before = at.struck.Up(step)
		}
		run, allHit := row, at.struck
		after = at.struck.Down(step)
		count := tally{ones: at.struck}
		for length := 2; length <= longest; length++ {
			row = row.Down(step)
			run.Retain(&row)
			if hit {
				allHit.Retain(&after)
				count.add(&after)
				after = after.Down(step)
			}
			if s.left[length] == 0 {
				continue
			}
			sterns := &at.sterns[length][k]
			*sterns = run
			sterns.Exclude(&s.refuted[length][k])
			if hit {
				sterns.Exclude(&allHit)
				if apart {
					sterns.Exclude(&before)
					sterns.Exclude(&after)
				}
				at.most[length] = max(at.most[length], count.most(sterns))
			}
		}
	}
}

// tally counts up to 7 for every cell at once, one bit of the number a set.
type tally struct{ ones, twos, fours match.Set }

func (t *tally) add(s *match.Set) {
	for i := range s {
		one := t.ones[i] & s[i]
		t.ones[i] ^= s[i]
		t.fours[i] |= t.twos[i] & one
		t.twos[i] ^= one
	}
}

// most returns the largest number counted for a cell of s.
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

// hardest returns the struck cell that the fewest places of ships can explain.
// False means that the cells cannot all be explained.
func (s *auditSearch) hardest(at *stage) (match.Cell, bool) {
	var best match.Cell
	fewest := tooMany
	// Cells so far apart that no ship explains two of them need a ship each.
	// alone counts them by the lengths of the ships that can do it.
	var alone [1 << (maxLength + 1)]int8
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

// tooMany is more than any number of places.
const tooMany = 1 << 30

// reach adds the free cells that a ship through c can cover.
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

// enough reports whether, for each choice of lengths, the ships of these lengths
// are as many as the cells that only they can explain.
func (s *auditSearch) enough(alone *[1 << (maxLength + 1)]int8) bool {
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

// placeUnhit places the ships that no hit has told of, always one of the
// length with the fewest places left.
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

// scarcest returns the length, of those left, of which the fewest ships can be
// placed, and how many; 0 if no ship is left.
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
