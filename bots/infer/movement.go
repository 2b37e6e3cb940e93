package infer

import (
	"slices"

	"broadside/match"
)

// leastState is the probability below which a possible state of a hit ship is dropped.
const leastState = 2e-4

// moveLikelihood returns the likelihood that a ship can move from one place to another.
func moveLikelihood(here, there float32) float32 {
	if there >= here {
		return 1
	}
	return there / here
}

// applyMoves updates the ships' distributions by the hypothesis's habit.
func (t *Tracker) applyMoves(a *hypothesis) {
	afloat := a.shipsAfloat()
	if a.habit.moves == 0 || afloat <= match.LastShips {
		return
	}
	rate := a.habit.moves / float32(afloat)
	for length, s := range a.unhitByLength() {
		l := &t.moves.lengths[length]
		next := make([]float32, len(s.odds))
		for place, p := range s.odds {
			if p == 0 {
				continue
			}
			stays := p
			left := p * rate
			for m, to := range l.Moves[place] {
				if to < 0 || t.barred[length][to] {
					continue
				}
				goes := left * moveLikelihood(s.room[place], s.room[to])
				if a.habit.ordered {
					left -= goes
				} else {
					goes *= a.habit.frequencies[m]
				}
				next[to] += goes
				stays -= goes
			}
			next[place] += stays
		}
		s.odds = next
		s.updateScale()
	}
	for i := range a.hit {
		k := &a.hit[i]
		if !k.isSunk() {
			t.moveHitShip(a, k, rate)
		}
	}
}

// moveHitShip updates the distribution of a ship that was hit.
func (t *Tracker) moveHitShip(a *hypothesis, k *hitShip, rate float32) {
	l := &t.moves.lengths[k.length]
	// rooms is nil if no unhit ship of this length is left.
	rooms := a.unhit[k.length].room
	add := func(place int32, damage uint8, p float32) {
		at := place<<k.length | int32(damage)
		if t.scratch[at] == 0 {
			t.touched = append(t.touched, at)
		}
		t.scratch[at] += p
	}
	for _, st := range k.states {
		stays, left := st.odds, st.odds*rate
		for m, to := range l.Moves[st.place] {
			if to < 0 || t.barred[k.length][to] {
				continue
			}
			goes := left
			if rooms != nil {
				goes *= moveLikelihood(rooms[st.place], rooms[to])
			}
			if a.habit.ordered {
				left -= goes
			} else {
				goes *= a.habit.frequencies[m]
			}
			if goes > 0 {
				add(to, st.damage, goes)
				stays -= goes
			}
		}
		add(st.place, st.damage, stays)
	}
	k.states = k.states[:0]
	for _, at := range t.touched {
		p := t.scratch[at]
		if p > leastState {
			k.states = append(k.states, shipState{place: at >> k.length, damage: uint8(at & (1<<k.length - 1)), odds: p, room: 1})
		}
		t.scratch[at] = 0
	}
	t.touched = t.touched[:0]
	k.normalize()
}

// repair returns the hypothesis adjusted to a result that it does not explain: a ship was
// not where it was expected.
func (a *hypothesis) repair(w *moveGraph, c uint16, r match.Result) *hypothesis {
	next := &hypothesis{habit: a.habit, weight: a.weight, unhit: a.unhit}
	next.hit = append(next.hit, a.hit...)
	if r != match.Miss {
		next.placeUnexpectedShip(w, c, r)
	}
	for length := range next.unhit {
		s := &next.unhit[length]
		old := *s
		s.odds, s.room = append([]float32(nil), s.odds...), append([]float32(nil), s.room...)
		if s.count == 0 {
			continue
		}
		for _, t := range w.lengths[length].Through[c] {
			s.odds[t.Place] = 0
		}
		if !s.normalize() {
			for place := range s.odds {
				s.odds[place], s.room[place] = 1, 1
			}
			for _, t := range w.lengths[length].Through[c] {
				s.odds[t.Place] = 0
			}
			if !s.normalize() {
				*s = old
			}
		}
	}
	if r != match.Miss {
		return next
	}
	for i := range next.hit {
		k := &next.hit[i]
		old := *k
		k.states = nil
		for _, t := range old.states {
			if slices.Index(w.lengths[k.length].Cells[t.place], c) < 0 {
				k.states = append(k.states, t)
			}
		}
		if k.normalize() {
			continue
		}
		for place, cells := range w.lengths[k.length].Cells {
			for n := range cells {
				if slices.Index(cells, c) < 0 {
					k.states = append(k.states, shipState{int32(place), 1 << n, 1, 1})
				}
			}
		}
		if !k.normalize() {
			*k = old
		}
	}
	return next
}

// placeUnexpectedShip places a ship at a cell where none was expected: a wounded ship if one is afloat,
// otherwise the shortest ship.
func (a *hypothesis) placeUnexpectedShip(w *moveGraph, c uint16, r match.Result) {
	at := -1
	for i := range a.hit {
		k := &a.hit[i]
		if !k.isSunk() && (at < 0 || k.length < a.hit[at].length) {
			at = i
		}
	}
	for length := 1; at < 0 && length < len(a.unhit); length++ {
		if a.unhit[length].count > 0 {
			a.unhit[length].count--
			a.hit = append(a.hit, hitShip{length: length})
			at = len(a.hit) - 1
		}
	}
	if at < 0 {
		// There are more ships than the fleet has.
		return
	}
	k := hitShip{length: a.hit[at].length}
	full := 1<<k.length - 1
	for _, t := range w.lengths[k.length].Through[c] {
		for damage := 1; damage <= full; damage++ {
			if damage>>t.Segment&1 != 0 && (damage == full) == (r != match.Hit) {
				k.states = append(k.states, shipState{t.Place, uint8(damage), 1, 1})
			}
		}
	}
	if k.normalize() {
		a.hit[at] = k
	}
}
