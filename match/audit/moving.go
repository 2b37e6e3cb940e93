package audit

import (
	"math/bits"

	"broadside/match"
	"broadside/match/layouts"
)

// movingAudit tracks the results of a side whose ships move secretly.
//
// It keeps the possible states of each ship separately, as if there were no other ships and
// each ship could move every turn. It also keeps what is certain about sunk ships. This is their
// number and lengths, the water around them, and the hits needed to sink them. Ships stop moving
// once at most two are afloat. This allows more than the rules do, so it never accuses an honest
// side, but it misses some contradictions. Two hits may only be possible for one ship of a
// length, and positions may be possible for each ship but not for all of them together.
type movingAudit struct {
	rules match.Rules
	ships [match.MaxLength + 1]*shipStates
	// known is what is certain from the results alone.
	known match.Chart
	// hits counts the hits, except at cells of ships already sunk.
	hits int
}

// shipStates holds the possible states of a ship of one length.
type shipStates struct {
	*layouts.Places
	// full is the state in which all segments are damaged.
	full uint32
	// states has bit d set, by place, if a ship may be there with damage d.
	states, arriving []uint32
}

func newMovingAudit(r match.Rules) *movingAudit {
	a := &movingAudit{rules: r, known: match.NewChart(r)}
	for _, class := range r.Fleet {
		if a.ships[class.Length] != nil {
			continue
		}
		s := &shipStates{Places: layouts.NewPlaces(r.Size, class.Length), full: 1 << (1<<class.Length - 1)}
		s.states, s.arriving = make([]uint32, len(s.Ships)), make([]uint32, len(s.Ships))
		for place := range s.states {
			s.states[place] = 1
		}
		a.ships[class.Length] = s
	}
	return a
}

// add records a result and reports whether it can be true.
func (a *movingAudit) add(cell match.Cell, r match.Result) bool {
	if a.known.Sunk.Has(cell) && (r == match.Miss || r == match.Hit) || a.known.Deduced.Has(cell) && r != match.Miss {
		return false
	}
	if r != match.Miss && !a.known.Sunk.Has(cell) {
		a.hits++
	}
	a.known.Record(cell, r)
	if !a.known.Sunk.IsEmpty() {
		isPossible := r == match.LastSunk || a.known.DeduceFromSunk()
		if !isPossible || !a.hasEnoughShips(r) {
			return false
		}
	}
	if !a.applyShot(cell, r) {
		return false
	}
	if r != match.LastSunk {
		a.addMoves()
	}
	return true
}

// hasEnoughShips reports whether the fleet has as many ships as were sunk, and whether there were
// enough hits to sink them.
func (a *movingAudit) hasEnoughShips(r match.Result) bool {
	if r == match.LastSunk {
		return a.hits >= a.rules.FleetCellCount()
	}
	if a.known.SunkShips == len(a.rules.Fleet) {
		// With all ships sunk, the last result should have been LastSunk.
		return false
	}
	hits, sunk := a.rules.FleetCellCount(), len(a.rules.Fleet)
	left := a.known.Afloat
	// These are the sunk ships of known length.
	for length, n := range left {
		hits -= int(n) * length
		sunk -= int(n)
	}
	// The other sunk ships are assumed to have the shortest possible lengths.
	for length := 1; sunk < a.known.SunkShips; length++ {
		for ; left[length] > 0 && sunk < a.known.SunkShips; left[length]-- {
			hits += length
			sunk++
		}
	}
	return a.hits >= hits
}

// applyShot updates the possible states of each ship with a result. It returns false if no ship can
// have given it.
func (a *movingAudit) applyShot(cell match.Cell, r match.Result) bool {
	explained, sunk := false, true
	for length, s := range a.ships {
		if s == nil {
			continue
		}
		for _, pass := range s.Through[a.cellNumber(cell)] {
			old := s.states[pass.Place]
			s.states[pass.Place] = 0
			if r == match.Miss {
				continue
			}
			for ; old != 0; old &= old - 1 {
				damage := uint32(1) << (bits.TrailingZeros32(old) | 1<<pass.Segment)
				if (damage == s.full) == (r != match.Hit) {
					s.states[pass.Place] |= damage
					explained = true
				}
			}
		}
		// No ship is there from now on.
		for c := range a.known.Deduced.All() {
			a.clearCell(s.states, s, c)
		}
		if r != match.LastSunk && a.known.Afloat[length] == 0 {
			// All ships of this length are sunk.
			for place := range s.states {
				s.states[place] &= s.full
			}
		}
		all := uint32(0)
		for _, may := range s.states {
			all |= may
		}
		if all == 0 {
			return false
		}
		sunk = sunk && all&s.full != 0
	}
	return (explained || r == match.Miss) && (sunk || r != match.LastSunk)
}

// addMoves adds the states after a move of each ship that may be afloat.
func (a *movingAudit) addMoves() {
	if a.known.SunkShips >= len(a.rules.Fleet)-match.LastShips {
		return
	}
	recent := a.known.Log[max(0, len(a.known.Log)-match.BlockedShots):]
	for _, s := range a.ships {
		if s == nil {
			continue
		}
		clear(s.arriving)
		for place, may := range s.states {
			may &^= s.full
			if may == 0 {
				continue
			}
			for _, to := range s.Moves[place] {
				if to >= 0 {
					s.arriving[to] |= may
				}
			}
		}
		for _, shot := range recent {
			a.clearCell(s.arriving, s, shot.Cell)
		}
		for place, come := range s.arriving {
			s.states[place] |= come
		}
	}
}

// clearCell removes the states in which a ship covers a cell.
func (a *movingAudit) clearCell(states []uint32, s *shipStates, c match.Cell) {
	for _, pass := range s.Through[a.cellNumber(c)] {
		states[pass.Place] = 0
	}
}

func (a *movingAudit) cellNumber(c match.Cell) int { return int(c.Y)*a.rules.Size + int(c.X) }
