package match

import "math/bits"

// auditBudget bounds a search, in steps of 1 to 2 µs. Sides that did all they
// could to make it hard have not brought the presets' fleets to a tenth of it.
const auditBudget = 10_000

// search looks for a layout that explains every answer and makes it the
// witness. False means that there is none; a search that ran out of its
// budget counts as found, for nobody is accused without a proof.
func (a *Audit) search() bool {
	s := auditSearch{Audit: a}
	for _, class := range a.rules.Fleet {
		s.left[class.Length]++
	}
	free := a.rules.Board().Minus(a.water)
	found := s.coverSunk(a.sinking, a.struck, free)
	a.steps = s.steps
	if !found {
		a.witness = nil
		return s.steps > auditBudget
	}
	if a.witness == nil {
		n := len(a.rules.Fleet)
		a.witness = &Fleet{hulls: make([]Set, n), unhit: make([]int8, n)}
	}
	a.witness.shots = a.water.Union(a.struck)
	for i, class := range a.rules.Fleet {
		for j := range s.placed[:s.n] {
			if ship := &s.placed[j]; ship.Length == class.Length {
				a.witness.lay(i, *ship)
				ship.Length = 0
				break
			}
		}
	}
	return true
}

// repair tries to make the witness agree with the answer for a cell by moving
// one ship, which is much cheaper than a search and mostly enough.
func (a *Audit) repair(cell Cell) bool {
	f := a.witness
	if f == nil {
		return false
	}
	var halos [maxShips]Set
	var hulls, once, twice Set // once: within the halo of one ship or more
	holder := -1
	for i := range f.hulls {
		halos[i] = a.rules.Contact.halo(f.hulls[i])
		twice = twice.Union(once.Intersect(halos[i]))
		once = once.Union(halos[i])
		hulls = hulls.Union(f.hulls[i])
		if f.hulls[i].Has(cell) {
			holder = i
		}
	}
	open := a.rules.Board().Minus(a.water)
	for i := range f.hulls {
		if holder >= 0 && i != holder || f.unhit[i] == 0 && i != holder {
			continue
		}
		others := hulls.Minus(f.hulls[i])
		struck := a.struck.Minus(others)
		free := open.Minus(once.Minus(halos[i])).Minus(twice)
		if !struck.Within(&free) {
			continue // it would have to lie too close to another ship
		}
		s := auditSearch{Audit: a}
		s.left[a.rules.Fleet[i].Length] = 1
		if s.coverSunk(a.sinking.Minus(others), struck, free) {
			f.lay(i, s.placed[0])
			return true
		}
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
	placed [maxShips]Ship
	n      int // ships placed
	steps  int
	// refuted holds, by length and heading, the sterns of ships that no
	// layout has together with the ships placed so far.
	refuted [maxLength + 1][2]Set
}

// keels are the headings that tell two places of a ship apart for everyone
// who is shot at.
var keels = [2]Heading{East, South}

// keelStep is the distance in bits from one cell of a ship to the next.
var keelStep = [2]uint{1, stride}

func (s *auditSearch) push(ship Ship) {
	s.placed[s.n] = ship
	s.n++
	s.left[ship.Length]--
}

func (s *auditSearch) pop() {
	s.n--
	s.left[s.placed[s.n].Length]++
}

// coverSunk places a ship on each of the cells whose answers were sinkings.
// Struck is the cells that ships still have to explain, free those on which
// ships may still lie.
func (s *auditSearch) coverSunk(sinkings, struck, free Set) bool {
	if sinkings.Empty() {
		return s.coverAfloat(struck, free.Minus(s.sunk))
	}
	if s.steps++; s.steps > auditBudget {
		return false
	}
	cell := sinkings.Nth(0)
	for length, n := range s.left {
		if n == 0 {
			continue
		}
		for _, heading := range keels {
			for back := range length {
				ship := Ship{Stern: cell.Step(heading, -back), Heading: heading, Length: length}
				if !s.rules.Contains(ship.Stern) || !s.rules.Contains(ship.Bow()) {
					continue
				}
				cells := ship.Cells()
				if !cells.Within(&struck) || !s.sunkBy(ship) {
					continue
				}
				left := struck.Minus(cells)
				halo := s.rules.Contact.halo(cells)
				if halo.Overlaps(&left) {
					continue
				}
				s.push(ship)
				if s.coverSunk(sinkings.Minus(cells), left, free.Minus(halo)) {
					return true
				}
				s.pop()
			}
		}
	}
	return false
}

// sunkBy tells whether the answers agree with a ship whose cells have all been
// struck: it floated until the last of them.
func (s *auditSearch) sunkBy(ship Ship) bool {
	last, afloat, sunk := int32(0), int32(0), int32(never)
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
func (s *auditSearch) coverAfloat(struck, free Set) bool {
	if s.steps++; s.steps > auditBudget {
		return false
	}
	if !struck.Within(&free) {
		return false
	}
	var sterns [maxLength + 1][2]Set
	var most [maxLength + 1]int
	s.sterns(&struck, &free, &sterns, &most)
	if struck.Empty() {
		return s.placeUnhit(&free, &sterns)
	}
	room := 0
	for length, n := range s.left {
		room += int(n) * most[length]
	}
	if struck.Len() > room {
		return false
	}
	target, ok := s.hardest(&struck, &free, &sterns)
	if !ok {
		return false
	}
	for length, n := range s.left {
		if n == 0 {
			continue
		}
		for k, heading := range keels {
			for back := range length {
				ship := Ship{Stern: target.Step(heading, -back), Heading: heading, Length: length}
				if !sterns[length][k].Has(ship.Stern) {
					continue
				}
				cells := ship.Cells()
				s.push(ship)
				if s.coverAfloat(struck.Minus(cells), free.Minus(s.rules.Contact.halo(cells))) {
					return true
				}
				s.pop()
			}
		}
	}
	return false
}

// sterns finds all places for a floating ship of each length that is left, and
// how many of the struck cells one such ship can explain at most.
func (s *auditSearch) sterns(struck, free *Set, out *[maxLength + 1][2]Set, most *[maxLength + 1]int) {
	apart := s.rules.Contact != TouchAny
	hit := !struck.Empty()
	longest := maxLength
	for s.left[longest] == 0 && longest > 0 {
		longest--
	}
	for k, step := range keelStep {
		row, hits := *free, *struck
		if apart && hit {
			// Not beside a cell that another ship would have to explain.
			across := keelStep[1-k]
			beside := hits.up(across).Union(hits.down(across))
			if s.rules.Contact == TouchNone {
				beside = beside.Union(beside.up(step)).Union(beside.down(step))
			}
			row = row.Minus(beside)
		}
		run, allHit := row, hits
		after := hits
		count := tally{ones: hits}
		for length := 2; length <= longest; length++ {
			row = row.down(step)
			run = run.Intersect(row)
			if hit {
				after = after.down(step)
				allHit = allHit.Intersect(after)
				count.add(&after)
			}
			if s.left[length] == 0 {
				continue
			}
			places := run.Minus(s.refuted[length][k])
			if hit {
				places = places.Minus(allHit)
				if apart {
					places = places.Minus(hits.up(step)).Minus(after.down(step))
				}
				most[length] = max(most[length], count.most(places))
			}
			out[length][k] = places
		}
	}
}

// tally counts up to 7 for every cell at once, one bit of the number a set.
type tally struct{ ones, twos, fours Set }

func (t *tally) add(s *Set) {
	for i := range s {
		one := t.ones[i] & s[i]
		t.ones[i] ^= s[i]
		t.fours[i] |= t.twos[i] & one
		t.twos[i] ^= one
	}
}

// most is the largest number counted for a cell of s.
func (t *tally) most(s Set) int {
	n := 0
	for i, bit := range [...]*Set{&t.fours, &t.twos, &t.ones} {
		if s.Overlaps(bit) {
			s = s.Intersect(*bit)
			n += 4 >> i
		}
	}
	return n
}

// hardest is the struck cell that the fewest places of ships can explain.
// False means that the cells cannot all be explained.
func (s *auditSearch) hardest(struck, free *Set, sterns *[maxLength + 1][2]Set) (Cell, bool) {
	var best Cell
	fewest := tooMany
	// Cells so far apart that no ship explains two of them need a ship each.
	// alone counts them by the lengths of the ships that can do it.
	var alone [1 << (maxLength + 1)]int8
	var reached Set
	for c := range struck.All() {
		options, lengths := 0, 0
		for length, n := range s.left {
			if n == 0 {
				continue
			}
			here := 0
			for k, step := range keelStep {
				for back := range uint(length) {
					if b := c.bit() - back*step; b < stride*MaxSize && sterns[length][k][b/64]>>(b%64)&1 != 0 {
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
			reach(c, free, bits.Len(uint(lengths))-1, &reached)
		}
	}
	return best, fewest > 0 && s.enough(&alone)
}

// tooMany is more than any number of places.
const tooMany = 1 << 30

// reach adds the free cells that a ship through c can cover.
func reach(c Cell, free *Set, length int, to *Set) {
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

// enough tells whether, for each choice of lengths, the ships of these lengths
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
func (s *auditSearch) placeUnhit(free *Set, sterns *[maxLength + 1][2]Set) bool {
	length, fewest := 0, tooMany
	for l, n := range s.left {
		if n == 0 {
			continue
		}
		if places := sterns[l][0].Len() + sterns[l][1].Len(); places < fewest {
			length, fewest = l, places
		}
	}
	switch {
	case length == 0:
		return true
	case fewest < int(s.left[length]):
		return false
	}
	before := s.refuted[length]
	for k, heading := range keels {
		for stern := range sterns[length][k].All() {
			ship := Ship{Stern: stern, Heading: heading, Length: length}
			s.push(ship)
			if s.coverAfloat(Set{}, free.Minus(s.rules.Contact.halo(ship.Cells()))) {
				return true
			}
			s.pop()
			s.refuted[length][k].Add(stern)
		}
	}
	s.refuted[length] = before
	return false
}
