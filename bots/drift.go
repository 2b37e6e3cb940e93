package bots

import (
	"broadside/match"
)

// leeway is how likely a ship can go from one place to another.
func leeway(here, there float32) float32 {
	if there >= here {
		return 1
	}
	return there / here
}

// move lets the ships move by the habit of the course.
func (b *tracker) move(a *course) {
	afloat := a.afloat()
	if a.habit.moves == 0 || afloat <= 2 {
		return
	}
	rate := a.habit.moves / float32(afloat)
	for length := range a.whole {
		s := &a.whole[length]
		if s.n == 0 {
			continue
		}
		l := &b.roads.lanes[length]
		next := make([]float32, len(s.p))
		for place, p := range s.p {
			if p == 0 {
				continue
			}
			stays := p
			left := p * rate
			for m, to := range l.to[place] {
				if to < 0 || b.barred[length][to] {
					continue
				}
				goes := left * leeway(s.room[place], s.room[to])
				if a.habit.ordered {
					left -= goes
				} else {
					goes *= a.habit.turning[m]
				}
				next[to] += goes
				stays -= goes
			}
			next[place] += stays
		}
		s.p = next
		s.rescale()
	}
	for i := range a.hit {
		if k := &a.hit[i]; !k.sunk() {
			b.drift(a, k, rate)
		}
	}
}

// drift lets a ship move that was hit.
func (b *tracker) drift(a *course, k *hulk, rate float32) {
	l := &b.roads.lanes[k.length]
	rooms := a.whole[k.length].room // nil if no other of its length is left
	add := func(place int32, damage uint8, p float32) {
		at := place<<k.length | int32(damage)
		if b.scratch[at] == 0 {
			b.touched = append(b.touched, at)
		}
		b.scratch[at] += p
	}
	for _, t := range k.states {
		stays, left := t.p, t.p*rate
		for m, to := range l.to[t.place] {
			if to < 0 || b.barred[k.length][to] {
				continue
			}
			goes := left
			if rooms != nil {
				goes *= leeway(rooms[t.place], rooms[to])
			}
			if a.habit.ordered {
				left -= goes
			} else {
				goes *= a.habit.turning[m]
			}
			if goes > 0 {
				add(to, t.damage, goes)
				stays -= goes
			}
		}
		add(t.place, t.damage, stays)
	}
	k.states = k.states[:0]
	for _, at := range b.touched {
		if p := b.scratch[at]; p > 2e-4 {
			k.states = append(k.states, state{place: at >> k.length, damage: uint8(at & (1<<k.length - 1)), p: p, room: 1})
		}
		b.scratch[at] = 0
	}
	b.touched = b.touched[:0]
	k.normalize()
}

// amend is the course made to agree with an answer that it does not explain: a
// ship was not where it was believed to be.
func (a *course) amend(w *roads, c uint16, r match.Result) *course {
	next := &course{habit: a.habit, weight: a.weight, whole: a.whole}
	next.hit = append(next.hit, a.hit...)
	if r != match.Water {
		next.find(w, c, r)
	}
	for length := range next.whole {
		s := &next.whole[length]
		old := *s
		s.p, s.room = append([]float32(nil), s.p...), append([]float32(nil), s.room...)
		if s.n == 0 {
			continue
		}
		for _, t := range w.lanes[length].through[c] {
			s.p[t.place] = 0
		}
		if !s.normalize() {
			for place := range s.p {
				s.p[place], s.room[place] = 1, 1
			}
			for _, t := range w.lanes[length].through[c] {
				s.p[t.place] = 0
			}
			if !s.normalize() {
				*s = old
			}
		}
	}
	if r != match.Water {
		return next
	}
	for i := range next.hit {
		k := &next.hit[i]
		old := *k
		k.states = nil
		for _, t := range old.states {
			if segment(w.lanes[k.length].cells[t.place], c) < 0 {
				k.states = append(k.states, t)
			}
		}
		if k.normalize() {
			continue
		}
		for place, cells := range w.lanes[k.length].cells {
			for n := range cells {
				if segment(cells, c) < 0 {
					k.states = append(k.states, state{int32(place), 1 << n, 1, 1})
				}
			}
		}
		if !k.normalize() {
			*k = old
		}
	}
	return next
}

// find has a ship lie at a cell where it was not expected: one that was hit
// before, if there is one afloat, or else the shortest.
func (a *course) find(w *roads, c uint16, r match.Result) {
	at := -1
	for i := range a.hit {
		if k := &a.hit[i]; !k.sunk() && (at < 0 || k.length < a.hit[at].length) {
			at = i
		}
	}
	for length := 1; at < 0 && length < len(a.whole); length++ {
		if a.whole[length].n > 0 {
			a.whole[length].n--
			a.hit = append(a.hit, hulk{length: length})
			at = len(a.hit) - 1
		}
	}
	if at < 0 {
		return // more ships than the fleet has
	}
	k := hulk{length: a.hit[at].length}
	full := 1<<k.length - 1
	for _, t := range w.lanes[k.length].through[c] {
		for damage := 1; damage <= full; damage++ {
			if damage>>t.segment&1 != 0 && (damage == full) == (r != match.Hit) {
				k.states = append(k.states, state{t.place, uint8(damage), 1, 1})
			}
		}
	}
	if k.normalize() {
		a.hit[at] = k
	}
}
