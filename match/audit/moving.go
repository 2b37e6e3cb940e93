package audit

import (
	"math/bits"
	"slices"

	"broadside/match"
)

// movingAudit follows the answers of a side whose ships move in silence.
//
// As long as they are few, it keeps all fleets that the answers allow, where
// they may lie by now and what of them is hit: then its verdict is exact. For
// larger fleets that is out of reach. There it keeps what each ship by itself
// may be like, as if the others were not there and every ship could move in
// every turn, and what is certain about sunk ships: how many there are, of
// which lengths, that nothing lies near them, how many hits it took to sink
// them, and that nothing moves once two ships or fewer are left. That allows
// more than the rules do, so it accuses nobody who tells the truth, and not
// everybody who does not: what it lets pass is two hits on ships of one length
// that only one ship can have taken, and places that are left to a ship by
// itself but not to all of them together.
type movingAudit struct {
	rules match.Rules
	seas  [maxLength + 1]*sea
	known match.Chart // what is certain from the answers alone
	held  int         // answers other than water at cells that were no wrecks before
	// fleets are all that there may be, sorted, each ship as a place and its
	// damage in fleetBits bits; nil once they were too many.
	fleets []uint64
	exact  bool
}

const (
	// mostFleets bounds the work for an answer to a few milliseconds. All fleets
	// of three short ships on 4×4 are fewer.
	mostFleets = 3_000
	fleetBits  = 15 // of a ship in a fleet: a place, and the damage below it
	mostKept   = 64 / fleetBits
	mostSize   = 16 // of a board on which the number of a place has room in a fleet
)

// sea is the places of ships of one length, and what one of them may be like.
type sea struct {
	length  int
	ships   []match.Ship
	to      [][match.Manoeuvres]int16 // by place: where a manoeuvre leads, or -1
	through [][]int16                 // by cell, y·size+x: the places that cover it
	// may has, by place, bit d if a ship may lie there with the damage d.
	may, come []uint32
}

func newMovingAudit(r match.Rules) *movingAudit {
	a := &movingAudit{rules: r, known: match.NewChart(r)}
	for _, class := range r.Fleet {
		if a.seas[class.Length] == nil {
			a.seas[class.Length] = newSea(r, class.Length)
		}
	}
	if len(r.Fleet) <= mostKept && r.Size <= mostSize {
		a.exact = a.list(nil, 0)
		slices.Sort(a.fleets)
		a.fleets = slices.Compact(a.fleets)
		a.exact = a.exact && len(a.fleets) <= mostFleets
	}
	if !a.exact {
		a.fleets = nil
	}
	return a
}

func newSea(r match.Rules, length int) *sea {
	s := &sea{length: length, through: make([][]int16, r.Size*r.Size)}
	index := map[match.Ship]int16{}
	for stern := range r.Board().All() {
		for _, h := range headings {
			ship := match.Ship{Stern: stern, Heading: h, Length: length}
			if !r.Contains(ship.Bow()) {
				continue
			}
			index[ship] = int16(len(s.ships))
			for n := range length {
				c := stern.Step(h, n)
				at := int(c.Y)*r.Size + int(c.X)
				s.through[at] = append(s.through[at], int16(len(s.ships)))
			}
			s.ships = append(s.ships, ship)
		}
	}
	for _, ship := range s.ships {
		var to [match.Manoeuvres]int16
		for m := range match.Manoeuvre(match.Manoeuvres) {
			to[m] = -1
			if place, ok := index[m.Of(ship)]; ok {
				to[m] = place
			}
		}
		s.to = append(s.to, to)
	}
	s.may, s.come = make([]uint32, len(s.ships)), make([]uint32, len(s.ships))
	for place := range s.may {
		s.may[place] = 1
	}
	return s
}

// list lists the fleets that begin with some ships; false if they are too many.
func (a *movingAudit) list(placed []int16, key uint64) bool {
	i := len(placed)
	if i == len(a.rules.Fleet) {
		a.fleets = append(a.fleets, a.sorted(key))
		return len(a.fleets) < 8*mostFleets // ships of equal length are not told apart yet
	}
	s := a.seas[a.rules.Fleet[i].Length]
	for place := range s.ships {
		if a.fits(placed, i, s.ships[place]) && !a.list(append(placed, int16(place)), key|uint64(place)<<5<<(fleetBits*i)) {
			return false
		}
	}
	return true
}

// fits reports whether a ship keeps away from those placed, ship number i aside.
func (a *movingAudit) fits(placed []int16, i int, ship match.Ship) bool {
	here := ship.Extent()
	for j, place := range placed {
		if j == i {
			continue
		}
		other := a.seas[a.rules.Fleet[j].Length].ships[place]
		if there := other.Extent(); a.rules.Contact.Clash(&here, &there) {
			return false
		}
	}
	return true
}

// sorted returns a fleet with its ships of equal length in order: which is which
// makes no difference.
func (a *movingAudit) sorted(key uint64) uint64 {
	var ships [mostKept]uint64
	n := len(a.rules.Fleet)
	for i := range n {
		ships[i] = key >> (fleetBits * i) & (1<<fleetBits - 1)
		for j := i; j > 0 && a.rules.Fleet[j-1].Length == a.rules.Fleet[j].Length && ships[j-1] > ships[j]; j-- {
			ships[j-1], ships[j] = ships[j], ships[j-1]
		}
	}
	key = 0
	for i, s := range ships[:n] {
		key |= s << (fleetBits * i)
	}
	return key
}

// add enters an answer and reports whether it can be true.
func (a *movingAudit) add(cell match.Cell, r match.Result) bool {
	if a.known.Sunk.Has(cell) && (r == match.Water || r == match.Hit) || a.known.Deduced.Has(cell) && r != match.Water {
		return false
	}
	if r != match.Water && !a.known.Sunk.Has(cell) {
		a.held++
	}
	a.known.Record(cell, r)
	if !a.known.Sunk.Empty() && !a.counts(r) {
		return false
	}
	if !a.shot(cell, r) {
		return false
	}
	if a.exact && !a.keep(cell, r) {
		return false
	}
	if r != match.LastSunk {
		a.sail()
	}
	return true
}

// counts reports whether the fleet has ships for what is sunk, and there were hits
// enough to sink them.
func (a *movingAudit) counts(r match.Result) bool {
	if r == match.LastSunk {
		return a.held >= a.rules.FleetCells()
	}
	if !a.known.Wrecks() || a.known.SunkShips == len(a.rules.Fleet) {
		return false // the last answer should have said that it was the last ship
	}
	hits, sunk := 0, 0
	left := a.known.Afloat
	for _, class := range a.rules.Fleet {
		hits += class.Length
		sunk++
	}
	for length, n := range left { // whole wrecks are known by their length
		hits -= int(n) * length
		sunk -= int(n)
	}
	for length := 1; sunk < a.known.SunkShips; length++ { // the others are the shortest there can be
		for ; left[length] > 0 && sunk < a.known.SunkShips; left[length]-- {
			hits += length
			sunk++
		}
	}
	return a.held >= hits
}

// shot enters an answer into what each ship may be like.
func (a *movingAudit) shot(cell match.Cell, r match.Result) bool {
	explained, sunk := false, true
	for _, s := range a.seas {
		if s == nil {
			continue
		}
		full := uint32(1) << (1<<s.length - 1)
		for _, place := range s.through[int(cell.Y)*a.rules.Size+int(cell.X)] {
			old := s.may[place]
			s.may[place] = 0
			if r == match.Water {
				continue
			}
			for ; old != 0; old &= old - 1 {
				damage := uint32(1) << (bits.TrailingZeros32(old) | 1<<s.ships[place].Segment(cell))
				if (damage == full) == (r != match.Hit) {
					s.may[place] |= damage
					explained = true
				}
			}
		}
		for c := range a.known.Deduced.All() { // nothing lies there any more
			for _, place := range s.through[int(c.Y)*a.rules.Size+int(c.X)] {
				s.may[place] = 0
			}
		}
		if r != match.LastSunk && a.known.Afloat[s.length] == 0 { // they are all sunk
			for place := range s.may {
				s.may[place] &= full
			}
		}
		somewhere, down := false, false
		for _, may := range s.may {
			somewhere = somewhere || may != 0
			down = down || may&full != 0
		}
		if !somewhere {
			return false
		}
		sunk = sunk && down
	}
	return (explained || r == match.Water) && (sunk || r != match.LastSunk)
}

// sail lets each ship that may float move.
func (a *movingAudit) sail() {
	if a.known.SunkShips >= len(a.rules.Fleet)-match.LastShips {
		return
	}
	recent := a.known.Log[max(0, len(a.known.Log)-match.BlockedShots):]
	for _, s := range a.seas {
		if s == nil {
			continue
		}
		clear(s.come)
		full := uint32(1) << (1<<s.length - 1)
		for place, may := range s.may {
			if may &^= full; may == 0 {
				continue
			}
			for _, to := range s.to[place] {
				if to >= 0 {
					s.come[to] |= may
				}
			}
		}
		for _, shot := range recent {
			for _, place := range s.through[int(shot.Cell.Y)*a.rules.Size+int(shot.Cell.X)] {
				s.come[place] = 0
			}
		}
		for place, come := range s.come {
			s.may[place] |= come
		}
	}
}

// keep keeps the fleets that give an answer, and lets them move. False means
// that there is none.
func (a *movingAudit) keep(cell match.Cell, r match.Result) bool {
	old := a.fleets
	a.fleets = make([]uint64, 0, len(old))
	n := len(a.rules.Fleet)
	var places [mostKept]int16
	recent := a.known.Log[max(0, len(a.known.Log)-match.BlockedShots):]
	for _, key := range old {
		answer, afloat, hit := match.Water, 0, -1
		for i := range n {
			ship := key >> (fleetBits * i)
			places[i] = int16(ship >> 5 & (1<<(fleetBits-5) - 1))
			s := a.seas[a.rules.Fleet[i].Length]
			at := s.ships[places[i]]
			if e := at.Extent(); e.Has(cell) {
				key |= 1 << (fleetBits*i + at.Segment(cell))
				hit = i
			}
			if key>>(fleetBits*i)&(1<<s.length-1) != 1<<s.length-1 {
				afloat++
			} else if hit == i {
				answer = match.Sunk
			}
		}
		switch {
		case hit >= 0 && answer == match.Water:
			answer = match.Hit
		case hit >= 0 && afloat == 0:
			answer = match.LastSunk
		}
		if answer != r {
			continue
		}
		a.fleets = append(a.fleets, a.sorted(key))
		if r == match.LastSunk || afloat <= match.LastShips {
			continue
		}
		for i := range n {
			s := a.seas[a.rules.Fleet[i].Length]
			if key>>(fleetBits*i)&(1<<s.length-1) == 1<<s.length-1 {
				continue
			}
			for _, to := range s.to[places[i]] {
				if to < 0 || !a.fits(places[:n], i, s.ships[to]) || underFire(s.ships[to], recent) {
					continue
				}
				moved := key&^((1<<(fleetBits-5)-1)<<(fleetBits*i+5)) | uint64(to)<<(fleetBits*i+5)
				a.fleets = append(a.fleets, a.sorted(moved))
			}
		}
	}
	slices.Sort(a.fleets)
	a.fleets = slices.Compact(a.fleets)
	found := len(a.fleets) > 0
	if len(a.fleets) > mostFleets {
		a.fleets, a.exact = nil, false
	}
	return found
}

// underFire reports whether one of some shots fell where a ship lies.
func underFire(s match.Ship, shots []match.Shot) bool {
	here := s.Extent()
	return slices.ContainsFunc(shots, func(shot match.Shot) bool { return here.Has(shot.Cell) })
}
