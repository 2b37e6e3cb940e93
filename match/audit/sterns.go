package audit

import (
	"math/bits"

	"broadside/match"
)

// keels are the two headings that suffice to describe all sets of cells of a ship.
var keels = [2]match.Heading{match.East, match.South}

// headings lists all headings.
var headings = [...]match.Heading{match.North, match.East, match.South, match.West}

// keelStep is the distance in bits from one cell of a ship to the next.
var keelStep = [2]uint{1, match.Stride}

// places holds the sterns of ships of one length, by heading.
type places [2]match.Set

// sweep holds the sets that findSterns uses for one heading.
type sweep struct {
	row, run, allHit match.Set
	before, after    match.Set // the struck cells, shifted by one cell along the keel
	beside, around   match.Set // cells next to a struck cell
	count            tally
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
