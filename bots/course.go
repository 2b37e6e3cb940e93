package bots

import (
	"broadside/match"
)

// course is one way in which a game may have gone: which ship took each hit,
// by which habit the fleet moves, and where the ships may lie then.
type course struct {
	habit  habit
	weight float64
	// whole are the ships never hit, by length. Those of one length are alike.
	whole [longest + 1]whole
	hit   []hulk
}

// whole is the ships of one length that were never hit.
type whole struct {
	n int
	p []float32 // by place; all add up to 1
	// room is, by place, how likely the other ships leave it free.
	room  []float32
	scale float32 // 1 over the sum of p, weighed by room
}

// hulk is a ship that was hit, and may be sunk.
type hulk struct {
	length int
	states []state
	scale  float32 // as of whole
}

// state is where a ship may lie with which of its parts hit.
type state struct {
	place  int32
	damage uint8
	p      float32 // all of a ship add up to 1
	room   float32 // as of whole
}

func newCourse(w *roads, h habit) *course {
	a := &course{habit: h, weight: h.prior}
	for _, class := range w.rules.Fleet {
		s := &a.whole[class.Length]
		if s.n++; s.n > 1 {
			continue
		}
		n := len(w.lanes[class.Length].cells)
		s.p, s.room, s.scale = make([]float32, n), make([]float32, n), 1
		for place := range s.p {
			s.p[place], s.room[place] = 1/float32(n), 1
		}
	}
	return a
}

// recall has the ships begin where they began in other games, mostly.
func (a *course) recall(w *roads, starts []match.Layout) {
	const mostly = 0.9
	for length := range a.whole {
		s := &a.whole[length]
		if s.n == 0 {
			continue
		}
		for place := range s.p {
			s.p[place] *= 1 - mostly
		}
		each := mostly / float32(s.n*len(starts))
		for _, l := range starts {
			for _, ship := range l {
				if place, ok := w.lanes[length].index[ship]; ok { // it is of this length
					s.p[place] += each
				}
			}
		}
	}
}

func (k *hulk) sunk() bool { return len(k.states) > 0 && k.states[0].damage == 1<<k.length-1 }

// afloat is the number of ships afloat.
func (a *course) afloat() int {
	n := 0
	for length := range a.whole {
		n += a.whole[length].n
	}
	for i := range a.hit {
		if !a.hit[i].sunk() {
			n++
		}
	}
	return n
}

// makeRoom weighs the places of each ship by how likely the others, as they are
// believed in, leave them free.
func (b *tracker) makeRoom(a *course) {
	cells := b.rules.Size * b.rules.Size
	ships := 0
	// By cell: how likely all ships, and each of them, let others lie there.
	all := b.shared(0)
	for c := range all {
		all[c] = 1
	}
	begin := func() []float32 {
		ships++
		own := b.shared(ships)
		clear(own)
		return own
	}
	end := func(own []float32, n int) {
		b.roads.spread(own)
		for c, denied := range own {
			own[c] = 1 - max(0, min(denied, 0.999))
			for range n {
				all[c] = max(all[c]*own[c], 1e-30)
			}
		}
	}
	for length := range a.whole {
		s := &a.whole[length]
		if s.n == 0 {
			continue
		}
		own := begin()
		for place, around := range b.roads.lanes[length].halo {
			if p := s.p[place] * s.room[place] * s.scale; p > 1e-6 {
				for _, c := range around {
					own[c.at] += p * float32(c.sign)
				}
			}
		}
		end(own, s.n)
	}
	for i := range a.hit {
		k := &a.hit[i]
		own := begin()
		for _, t := range k.states {
			p := t.p * t.room * k.scale
			for _, c := range b.roads.lanes[k.length].halo[t.place] {
				own[c.at] += p * float32(c.sign)
			}
		}
		end(own, 1)
	}
	ships = 0
	free := func() []float32 {
		ships++
		own := b.shared(ships)
		for c := range cells {
			own[c] = all[c] / own[c]
		}
		return own
	}
	for length := range a.whole {
		s := &a.whole[length]
		if s.n == 0 {
			continue
		}
		others := free()
		sum := float32(0)
		for place, cells := range b.roads.lanes[length].cells {
			s.room[place] = least(cells, others)
			sum += s.p[place] * s.room[place]
		}
		s.scale = 1 / max(sum, 1e-20)
	}
	for i := range a.hit {
		k := &a.hit[i]
		others := free()
		sum := float32(0)
		for j := range k.states {
			t := &k.states[j]
			t.room = least(b.roads.lanes[k.length].cells[t.place], others)
			sum += t.p * t.room
		}
		k.scale = 1 / max(sum, 1e-20)
	}
}

// shared is the n-th piece of memory for a number by cell.
func (b *tracker) shared(n int) []float32 {
	for len(b.memory) <= n {
		b.memory = append(b.memory, make([]float32, b.rules.Size*b.rules.Size))
	}
	return b.memory[n]
}

// least is the least of some cells' numbers.
func least(cells []uint16, of []float32) float32 {
	n := of[cells[0]]
	for _, c := range cells[1:] {
		n = min(n, of[c])
	}
	return n
}

// spread adds to each cell the chance that a part not hit lies there; a ship that
// was hit before counts for more by a factor.
func (a *course) spread(w *roads, chance []float64, wounded float64) {
	for length := range a.whole {
		s := &a.whole[length]
		if s.n == 0 {
			continue
		}
		scale := a.weight * float64(s.n) * float64(s.scale)
		for place, cells := range w.lanes[length].cells {
			if p := scale * float64(s.p[place]*s.room[place]); p > 0 {
				for _, c := range cells {
					chance[c] += p
				}
			}
		}
	}
	for i := range a.hit {
		k := &a.hit[i]
		for _, t := range k.states {
			p := wounded * a.weight * float64(t.p*t.room*k.scale)
			for n, c := range w.lanes[k.length].cells[t.place] {
				if t.damage>>n&1 == 0 {
					chance[c] += p
				}
			}
		}
	}
}

// judge adds the courses that this one becomes by an answer.
func (a *course) judge(w *roads, c uint16, r match.Result, all []verdict) []verdict {
	free := 1.0 // that no ship lies there
	off := func(p float64) float64 { return 1 - min(p, 0.9999) }
	var whole [longest + 1]float64
	for length := range a.whole {
		s := &a.whole[length]
		if s.n == 0 {
			continue
		}
		for _, t := range w.lanes[length].through[c] {
			whole[length] += float64(s.p[t.place] * s.room[t.place] * s.scale)
		}
		for range s.n {
			free *= off(whole[length])
		}
	}
	covers := make([]float64, len(a.hit)) // that the ship lies there
	likely := make([]float64, len(a.hit)) // that it does and gives the answer
	for i := range a.hit {
		k := &a.hit[i]
		for _, t := range k.states {
			if n := segment(w.lanes[k.length].cells[t.place], c); n >= 0 {
				p := float64(t.p * t.room * k.scale)
				covers[i] += p
				if fits(k.length, int(t.damage), uint8(n), r) {
					likely[i] += p
				}
			}
		}
		free *= off(covers[i])
	}
	if r == match.Water {
		return append(all, verdict{from: a, ship: -1, weight: a.weight * free})
	}
	if r == match.Hit {
		for length, p := range whole {
			if p > 0 {
				all = append(all, verdict{from: a, ship: -1, length: length, weight: a.weight * free / off(p) * p * float64(a.whole[length].n)})
			}
		}
	}
	for i, p := range likely {
		if p > 0 {
			all = append(all, verdict{from: a, ship: i, weight: a.weight * free / off(covers[i]) * p})
		}
	}
	return all
}

// fits tells whether a ship that is hit at a segment answers so.
func fits(length, damage int, segment uint8, r match.Result) bool {
	return (damage|1<<segment == 1<<length-1) == (r != match.Hit)
}

// segment is which of a ship's cells it is, or -1.
func segment(cells []uint16, c uint16) int {
	for n, d := range cells {
		if d == c {
			return n
		}
	}
	return -1
}

// after is the course after an answer, as a verdict says; nil if a ship can
// then be nowhere.
func (a *course) after(w *roads, c uint16, r match.Result, v verdict) *course {
	next := &course{habit: a.habit, weight: v.weight, whole: a.whole}
	if v.length > 0 {
		s := &a.whole[v.length]
		next.whole[v.length].n--
		k := hulk{length: v.length}
		for _, t := range w.lanes[v.length].through[c] {
			if p := s.p[t.place] * s.room[t.place]; p > 0 {
				k.states = append(k.states, state{t.place, 1 << t.segment, p, s.room[t.place]})
			}
		}
		if !k.normalize() {
			return nil
		}
		next.hit = append(next.hit, k)
	}
	for length := range next.whole {
		s := &next.whole[length]
		if s.n == 0 {
			s.p, s.room = nil, nil
			continue
		}
		s.p, s.room = append([]float32(nil), s.p...), append([]float32(nil), s.room...)
		for _, t := range w.lanes[length].through[c] {
			s.p[t.place] = 0
		}
		if !s.normalize() {
			return nil
		}
	}
	for i := range a.hit {
		k := hulk{length: a.hit[i].length}
		for _, t := range a.hit[i].states {
			n := segment(w.lanes[k.length].cells[t.place], c)
			switch {
			case i != v.ship && n < 0:
			case i == v.ship && n >= 0 && fits(k.length, int(t.damage), uint8(n), r):
				t.damage |= 1 << n
			default:
				continue
			}
			k.states = append(k.states, t)
		}
		if !k.normalize() {
			return nil
		}
		next.hit = append(next.hit, k)
	}
	return next
}

// normalize makes the belief add up to 1; false if it is none.
func (s *whole) normalize() bool {
	sum := float32(0)
	for _, p := range s.p {
		sum += p
	}
	if sum < 1e-12 {
		return false
	}
	for i := range s.p {
		if s.p[i] *= 1 / sum; s.p[i] < 1e-7 {
			s.p[i] = 0
		}
	}
	s.rescale()
	return true
}

func (s *whole) rescale() {
	sum := float32(0)
	for i, p := range s.p {
		sum += p * s.room[i]
	}
	s.scale = 1 / max(sum, 1e-20)
}

func (k *hulk) normalize() bool {
	sum, rooms := float32(0), float32(0)
	for _, t := range k.states {
		sum += t.p
		rooms += t.p * t.room
	}
	if sum < 1e-12 {
		return false
	}
	for i := range k.states {
		k.states[i].p /= sum
	}
	k.scale = 1 / max(rooms/sum, 1e-20)
	return true
}
