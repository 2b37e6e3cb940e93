package audit

import (
	"math/bits"
	"slices"

	"broadside/match"
)

// movingAudit tracks the results of a side whose ships move secretly.
//
// For small fleets, it keeps every possible state of the fleet: positions and damage. Its
// verdict is then exact. For larger fleets, it keeps the possible states of each ship
// separately, as if there were no other ships and each ship could move every turn. It
// also keeps what is certain about sunk ships: their number and lengths, the water around
// them, the hits needed to sink them, and that ships stop moving once at most two are
// afloat. This allows more than the rules do, so it never accuses an honest side, but it
// misses some contradictions: two hits that only one ship of a length can have taken, and
// positions that are possible for each ship but not for all of them together.
type movingAudit struct {
	rules match.Rules
	seas  [match.MaxLength + 1]*sea
	known match.Chart // what is certain from the results alone
	held  int         // hits, except at cells of ships already sunk
	// fleets are all possible states, sorted. Each ship takes fleetBits bits: its
	// position and its damage. Nil once there were too many.
	fleets []uint64
	exact  bool
}

const (
	// mostFleets limits the work for a result to a few milliseconds. Three short ships on
	// 4×4 have fewer states.
	mostFleets = 3_000
	fleetBits  = 15 // bits per ship in a fleet: position, then damage in the low bits
	mostKept   = 64 / fleetBits
	mostSize   = 16 // largest board whose positions fit into fleetBits
)

// sea holds the positions of ships of one length and the possible states of one such
// ship.
type sea struct {
	length  int
	ships   []match.Ship
	to      [][match.Manoeuvres]int16 // by position: the position after a manoeuvre, or -1
	through [][]int16                 // by cell, y·size+x: the positions that cover it
	// may has bit d set, by position, if a ship may be there with damage d.
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
		for h := match.North; h <= match.West; h++ {
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

// list lists the fleets that begin with the given ships. It returns false if there are
// too many.
func (a *movingAudit) list(placed []int16, key uint64) bool {
	i := len(placed)
	if i == len(a.rules.Fleet) {
		a.fleets = append(a.fleets, a.sorted(key))
		return len(a.fleets) < 8*mostFleets // duplicates with ships of equal length swapped are removed later
	}
	s := a.seas[a.rules.Fleet[i].Length]
	for place := range s.ships {
		if a.fits(placed, i, s.ships[place]) && !a.list(append(placed, int16(place)), key|uint64(place)<<5<<(fleetBits*i)) {
			return false
		}
	}
	return true
}

// fits reports whether the contact rule allows a ship together with those placed,
// ignoring ship i.
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

// sorted returns a fleet with its ships of equal length in order, because they are
// interchangeable.
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

// add records a result and reports whether it can be true.
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
		a.addMoves()
	}
	return true
}

// counts reports whether the fleet has enough ships for the sunk ones, and there were
// enough hits to sink them.
func (a *movingAudit) counts(r match.Result) bool {
	if r == match.LastSunk {
		return a.held >= a.rules.FleetCells()
	}
	if !a.known.Wrecks() || a.known.SunkShips == len(a.rules.Fleet) {
		return false // the last result should have been LastSunk
	}
	hits, sunk := 0, 0
	left := a.known.Afloat
	for _, class := range a.rules.Fleet {
		hits += class.Length
		sunk++
	}
	for length, n := range left { // sunk ships of known length
		hits -= int(n) * length
		sunk -= int(n)
	}
	for length := 1; sunk < a.known.SunkShips; length++ { // assume the shortest possible lengths for the others
		for ; left[length] > 0 && sunk < a.known.SunkShips; left[length]-- {
			hits += length
			sunk++
		}
	}
	return a.held >= hits
}

// shot updates the possible states of each ship with a result.
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
		for c := range a.known.Deduced.All() { // no ship is there from now on
			for _, place := range s.through[int(c.Y)*a.rules.Size+int(c.X)] {
				s.may[place] = 0
			}
		}
		if r != match.LastSunk && a.known.Afloat[s.length] == 0 { // all ships of this length are sunk
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

// addMoves adds the states after a move of each ship that may be afloat.
func (a *movingAudit) addMoves() {
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

// keep keeps the fleets that explain a result, and adds their moves. It returns false if
// there are none.
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

// underFire reports whether any of the shots hit the cells of a ship.
func underFire(s match.Ship, shots []match.Shot) bool {
	here := s.Extent()
	return slices.ContainsFunc(shots, func(shot match.Shot) bool { return here.Has(shot.Cell) })
}
