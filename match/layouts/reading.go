package layouts

import (
	"math/bits"
	"slices"

	"broadside/match"
)

// reading describes the layouts that a log allows. A layout agrees with all results if and
// only if it consists of the certain positions and an open position for each other ship, no
// two positions clash, and every hit is covered.
type reading struct {
	*Geometry
	// open has the positions that ships without a certain position may have.
	open []uint64
	// whole has the positions whose cells have all been hit.
	whole []uint64
	// certain has the positions that certainly hold a ship.
	certain []int
	// left counts the ships without a certain position, by length.
	left [match.MaxLength + 1]int
	// ships is the number of ships without a certain position.
	ships int
	// hits has the hits outside certain positions, the hardest to explain first.
	hits []uint16
	// covers has, by position, the hits it covers, as bits.
	covers []uint64
	// maxCovered is the maximum number of hits that a position covers.
	maxCovered int
	// dirty has the positions with nonzero covers.
	dirty []int
	// share is, by length, the likelihood that such a ship explains a hit, per position that
	// covers the hit.
	share [match.MaxLength + 1]float64
}

func newReading(g *Geometry) *reading {
	return &reading{
		Geometry: g, open: make([]uint64, g.words), whole: make([]uint64, g.words),
		covers: make([]uint64, len(g.positions)),
	}
}

func (r *reading) allHits() uint64 { return 1<<len(r.hits) - 1 }

// maxHits is the maximum number of hits in a reading. No fleet under any rules has more
// cells.
const maxHits = 64

// ReadLog computes what the results allow. It returns false if they contradict each other.
func (r *reading) ReadLog(l *Log) bool {
	copy(r.open, r.all)
	clear(r.whole)
	r.left, r.ships = r.fleet, len(r.Rules.Fleet)
	r.certain, r.hits = r.certain[:0], r.hits[:0]
	for c := range l.cells {
		facts := &l.cells[c]
		if facts.firstShot == 0 {
			continue
		}
		if !facts.isStruck() {
			removePositions(r.open, r.through[c])
			continue
		}
		// A position beside a hit that does not cover it would touch the ship that
		// does.
		removePositions(r.open, r.near[c])
		r.hits = append(r.hits, uint16(c))
	}
	if len(r.hits) > min(maxHits, r.Rules.FleetCellCount()) {
		return false
	}
	for _, h := range r.hits {
		r.readHit(l, h)
	}
	if !r.placeCertainShips() {
		return false
	}
	r.sortHits()
	return true
}

// readHit removes the positions through a hit that the results rule out. A ship whose cells
// are all hit sank at the last of these shots. A ship with a cell not fired at is afloat,
// so no shot at it had the result Sunk.
func (r *reading) readHit(l *Log, h uint16) {
	for i, through := range r.through[h] {
		for word := r.open[i] & through; word != 0; word &= word - 1 {
			bit := word & -word
			s := &r.positions[64*i+bits.TrailingZeros64(word)]
			whole, last, afloat, sunk := true, uint16(0), uint16(0), uint16(never)
			for _, c := range s.cells[:s.n] {
				facts := &l.cells[c]
				whole = whole && facts.isStruck()
				last = max(last, facts.firstShot)
				afloat = max(afloat, facts.lastAfloat)
				sunk = min(sunk, facts.firstSunk)
			}
			switch {
			case whole && (afloat >= last || last > sunk), !whole && sunk != never:
				r.open[i] &^= bit
			case whole:
				r.whole[i] |= bit
			}
		}
	}
}

// placeCertainShips repeatedly places the ships that have only one possible position. It reports
// whether every hit and ship still has a position.
func (r *reading) placeCertainShips() bool {
	for again := true; again; {
		again = false
		for k := 0; k < len(r.hits); k++ {
			options, only := r.countOptions(r.hits[k])
			if options == 0 {
				return false
			}
			if options == 1 {
				r.placeCertainShip(only)
				again = true
				k--
			}
		}
	}
	for _, length := range r.lengths {
		if r.countOpen(length) < r.left[length] {
			return false
		}
	}
	return true
}

// countOptions returns the number of positions that explain a hit, and the last of them.
func (r *reading) countOptions(h uint16) (n, last int) {
	for i, through := range r.through[h] {
		word := r.open[i] & through
		if word != 0 {
			n += bits.OnesCount64(word)
			last = 64*i + bits.Len64(word) - 1
		}
	}
	return n, last
}

func (r *reading) countOpen(length int) int {
	n := 0
	for _, word := range r.open[r.from[length]:r.to[length]] {
		n += bits.OnesCount64(word)
	}
	return n
}

func (r *reading) placeCertainShip(n int) {
	s := &r.positions[n]
	removePositions(r.open, r.clash[n])
	r.certain = append(r.certain, n)
	r.ships--
	if r.left[s.n]--; r.left[s.n] == 0 {
		clear(r.open[r.from[s.n]:r.to[s.n]])
	}
	r.hits = slices.DeleteFunc(r.hits, func(h uint16) bool { return slices.Contains(s.cells[:s.n], h) })
}

// sortHits sorts the remaining hits and records which position covers which hit.
func (r *reading) sortHits() {
	slices.SortStableFunc(r.hits, func(a, b uint16) int {
		x, _ := r.countOptions(a)
		y, _ := r.countOptions(b)
		return x - y
	})
	for _, n := range r.dirty {
		r.covers[n] = 0
	}
	r.dirty, r.maxCovered = r.dirty[:0], 0
	for k, h := range r.hits {
		for i, through := range r.through[h] {
			for word := r.open[i] & through; word != 0; word &= word - 1 {
				n := 64*i + bits.TrailingZeros64(word)
				if r.covers[n] == 0 {
					r.dirty = append(r.dirty, n)
				}
				r.covers[n] |= 1 << k
				r.maxCovered = max(r.maxCovered, bits.OnesCount64(r.covers[n]))
			}
		}
	}
	// A length with few positions is more likely to explain a hit, because the remaining
	// ships can then lie in more ways.
	for _, length := range r.lengths {
		r.share[length] = 0
		if r.left[length] > 0 {
			r.share[length] = float64(r.left[length]) / float64(max(1, r.countOpen(length)))
		}
	}
}

// Agrees reports whether a layout agrees with all results, and whether one of its ships
// afloat has been hit.
func (r *reading) Agrees(positions []int) (agrees, wounded bool) {
	var covered uint64
	found := 0
	for _, n := range positions {
		whole := r.whole[n/64]>>(n%64)&1 != 0
		switch {
		case slices.Contains(r.certain, n):
			found++
			wounded = wounded || !whole
		case r.open[n/64]>>(n%64)&1 == 0:
			return false, false
		default:
			covered |= r.covers[n]
			wounded = wounded || !whole && r.covers[n] != 0
		}
	}
	return found == len(r.certain) && covered == r.allHits(), wounded
}
