package infer

import (
	"iter"
	"slices"

	"broadside/match"
)

// hypothesis is one possible course of a game: which ship received each hit, the habit by
// which the fleet moves, and the resulting distribution of ship places.
type hypothesis struct {
	habit  habit
	weight float64
	// unhit are the ships never hit, by length, because those of one length are
	// interchangeable.
	unhit [match.MaxLength + 1]unhitShips
	hit   []hitShip
}

// unhitShips are the ships of one length that were never hit.
type unhitShips struct {
	count int
	// odds is each place's probability, with a sum of 1.
	odds []float32
	// room has, by place, the probability that the other ships leave it free.
	room []float32
	// scale is 1 divided by the sum of odds·room.
	scale float32
}

// hitShip is a ship that was hit and may be sunk.
type hitShip struct {
	length int
	states []shipState
	// scale is 1 divided by the sum of odds·room.
	scale float32
}

// shipState is a possible place of a ship and which of its parts are hit.
type shipState struct {
	place  int32
	damage uint8
	// odds is the state's probability. A ship's states have a sum of 1.
	odds float32
	// room is the probability that the other ships leave the place free.
	room float32
}

func newHypothesis(w *moveGraph, h habit) *hypothesis {
	a := &hypothesis{habit: h, weight: h.prior}
	for _, class := range w.rules.Fleet {
		s := &a.unhit[class.Length]
		if s.count++; s.count > 1 {
			continue
		}
		n := len(w.lengths[class.Length].Cells)
		s.odds, s.room, s.scale = make([]float32, n), make([]float32, n), 1
		for place := range s.odds {
			s.odds[place], s.room[place] = 1/float32(n), 1
		}
	}
	return a
}

// preferStarts increases the probability that the ships start at their places in earlier games.
func (a *hypothesis) preferStarts(w *moveGraph, starts []match.Layout) {
	const mostly = 0.9
	for length, s := range a.unhitByLength() {
		for place := range s.odds {
			s.odds[place] *= 1 - mostly
		}
		each := mostly / float32(s.count*len(starts))
		for _, l := range starts {
			for _, ship := range l {
				place := w.lengths[length].Find(ship)
				if place >= 0 {
					// The ship is of this length.
					s.odds[place] += each
				}
			}
		}
	}
}

func (k *hitShip) isSunk() bool { return len(k.states) > 0 && k.states[0].damage == 1<<k.length-1 }

// unhitByLength yields the lengths of which there are ships that were never hit, and those ships.
func (a *hypothesis) unhitByLength() iter.Seq2[int, *unhitShips] {
	return func(yield func(int, *unhitShips) bool) {
		for length := range a.unhit {
			s := &a.unhit[length]
			if s.count > 0 && !yield(length, s) {
				return
			}
		}
	}
}

// shipsAfloat returns the number of ships afloat.
func (a *hypothesis) shipsAfloat() int {
	n := 0
	for length := range a.unhit {
		n += a.unhit[length].count
	}
	for i := range a.hit {
		if !a.hit[i].isSunk() {
			n++
		}
	}
	return n
}

// computeRoom computes, for each ship and place, the probability that the other ships leave
// the place free, given their current distributions.
func (t *Tracker) computeRoom(a *hypothesis) {
	ships := 0
	// By cell: the probability that all ships, and each ship, leave it free.
	all := t.buffer(0)
	for c := range all {
		all[c] = 1
	}
	begin := func() []float32 {
		ships++
		own := t.buffer(ships)
		clear(own)
		return own
	}
	end := func(own []float32, n int) {
		t.moves.sumByCell(own)
		for c, denied := range own {
			own[c] = 1 - max(0, min(denied, 0.999))
			for range n {
				all[c] = max(all[c]*own[c], 1e-30)
			}
		}
	}
	for length, s := range a.unhitByLength() {
		own := begin()
		for place, around := range t.moves.lengths[length].halo {
			p := s.odds[place] * s.room[place] * s.scale
			if p > 1e-6 {
				for _, c := range around {
					own[c.at] += p * float32(c.sign)
				}
			}
		}
		end(own, s.count)
	}
	for i := range a.hit {
		k := &a.hit[i]
		own := begin()
		for _, st := range k.states {
			p := st.odds * st.room * k.scale
			for _, c := range t.moves.lengths[k.length].halo[st.place] {
				own[c.at] += p * float32(c.sign)
			}
		}
		end(own, 1)
	}
	t.setOthersFree(a, all)
}

// setOthersFree sets the probabilities that the other ships leave places free. all is the
// probability that all ships leave a cell free; the next shared buffers have that of each ship.
func (t *Tracker) setOthersFree(a *hypothesis, all []float32) {
	cells := t.rules.Size * t.rules.Size
	ships := 0
	free := func() []float32 {
		ships++
		own := t.buffer(ships)
		for c := range cells {
			own[c] = all[c] / own[c]
		}
		return own
	}
	for length, s := range a.unhitByLength() {
		others := free()
		sum := float32(0)
		for place, cells := range t.moves.lengths[length].Cells {
			s.room[place] = minimum(cells, others)
			sum += s.odds[place] * s.room[place]
		}
		s.scale = 1 / max(sum, 1e-20)
	}
	for i := range a.hit {
		k := &a.hit[i]
		others := free()
		sum := float32(0)
		for j := range k.states {
			st := &k.states[j]
			st.room = minimum(t.moves.lengths[k.length].Cells[st.place], others)
			sum += st.odds * st.room
		}
		k.scale = 1 / max(sum, 1e-20)
	}
}

// buffer returns the n-th shared buffer, which has one entry per cell.
func (t *Tracker) buffer(n int) []float32 {
	for len(t.buffers) <= n {
		t.buffers = append(t.buffers, make([]float32, t.rules.Size*t.rules.Size))
	}
	return t.buffers[n]
}

// minimum returns the minimum entry of some cells.
func minimum(cells []uint16, of []float32) float32 {
	n := of[cells[0]]
	for _, c := range cells[1:] {
		n = min(n, of[c])
	}
	return n
}

// addChances adds to each cell the probability that it holds an unhit part. Wounded ships are
// multiplied by a factor.
func (a *hypothesis) addChances(w *moveGraph, chance []float64, wounded float64) {
	for length, s := range a.unhitByLength() {
		scale := a.weight * float64(s.count) * float64(s.scale)
		for place, cells := range w.lengths[length].Cells {
			p := scale * float64(s.odds[place]*s.room[place])
			if p > 0 {
				for _, c := range cells {
					chance[c] += p
				}
			}
		}
	}
	for i := range a.hit {
		k := &a.hit[i]
		for _, t := range k.states {
			p := wounded * a.weight * float64(t.odds*t.room*k.scale)
			for n, c := range w.lengths[k.length].Cells[t.place] {
				if t.damage>>n&1 == 0 {
					chance[c] += p
				}
			}
		}
	}
}

// appendSuccessors appends the hypotheses that result from this one after a result.
func (a *hypothesis) appendSuccessors(w *moveGraph, c uint16, r match.Result, all []successor) []successor {
	// free is the probability that no ship covers c.
	free := 1.0
	off := func(p float64) float64 { return 1 - min(p, 0.9999) }
	var unhit [match.MaxLength + 1]float64
	for length, s := range a.unhitByLength() {
		for _, t := range w.lengths[length].Through[c] {
			unhit[length] += float64(s.odds[t.Place] * s.room[t.Place] * s.scale)
		}
		for range s.count {
			free *= off(unhit[length])
		}
	}
	// covers has each ship's probability of covering c.
	covers := make([]float64, len(a.hit))
	// likely has each ship's probability of covering c and giving the result.
	likely := make([]float64, len(a.hit))
	for i := range a.hit {
		k := &a.hit[i]
		for _, t := range k.states {
			n := slices.Index(w.lengths[k.length].Cells[t.place], c)
			if n >= 0 {
				p := float64(t.odds * t.room * k.scale)
				covers[i] += p
				if givesResult(k.length, int(t.damage), uint8(n), r) {
					likely[i] += p
				}
			}
		}
		free *= off(covers[i])
	}
	if r == match.Miss {
		return append(all, successor{from: a, ship: -1, weight: a.weight * free})
	}
	if r == match.Hit {
		for length, p := range unhit {
			if p > 0 {
				all = append(all, successor{from: a, ship: -1, length: length, weight: a.weight * free / off(p) * p * float64(a.unhit[length].count)})
			}
		}
	}
	for i, p := range likely {
		if p > 0 {
			all = append(all, successor{from: a, ship: i, weight: a.weight * free / off(covers[i]) * p})
		}
	}
	return all
}

// givesResult reports whether a ship hit at a segment gives the result r.
func givesResult(length, damage int, segment uint8, r match.Result) bool {
	return (damage|1<<segment == 1<<length-1) == (r != match.Hit)
}

// advance returns the hypothesis after a result, as described by a successor, or nil if a
// ship then has no possible place.
func (a *hypothesis) advance(w *moveGraph, c uint16, r match.Result, v successor) *hypothesis {
	next := &hypothesis{habit: a.habit, weight: v.weight, unhit: a.unhit}
	if v.length > 0 {
		s := &a.unhit[v.length]
		next.unhit[v.length].count--
		k := hitShip{length: v.length}
		for _, t := range w.lengths[v.length].Through[c] {
			p := s.odds[t.Place] * s.room[t.Place]
			if p > 0 {
				k.states = append(k.states, shipState{t.Place, 1 << t.Segment, p, s.room[t.Place]})
			}
		}
		if !k.normalize() {
			return nil
		}
		next.hit = append(next.hit, k)
	}
	for length := range next.unhit {
		s := &next.unhit[length]
		if s.count == 0 {
			s.odds, s.room = nil, nil
			continue
		}
		s.odds, s.room = append([]float32(nil), s.odds...), append([]float32(nil), s.room...)
		for _, t := range w.lengths[length].Through[c] {
			s.odds[t.Place] = 0
		}
		if !s.normalize() {
			return nil
		}
	}
	for i := range a.hit {
		k := hitShip{length: a.hit[i].length}
		for _, t := range a.hit[i].states {
			n := slices.Index(w.lengths[k.length].Cells[t.place], c)
			covers := n >= 0
			if covers != (i == v.ship) {
				continue
			}
			if covers {
				if !givesResult(k.length, int(t.damage), uint8(n), r) {
					continue
				}
				t.damage |= 1 << n
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

// normalize scales the probabilities to a sum of 1; it returns false if all are 0.
func (s *unhitShips) normalize() bool {
	sum := float32(0)
	for _, p := range s.odds {
		sum += p
	}
	if sum < 1e-12 {
		return false
	}
	for i := range s.odds {
		s.odds[i] *= 1 / sum
		if s.odds[i] < 1e-7 {
			s.odds[i] = 0
		}
	}
	s.updateScale()
	return true
}

func (s *unhitShips) updateScale() {
	sum := float32(0)
	for i, p := range s.odds {
		sum += p * s.room[i]
	}
	s.scale = 1 / max(sum, 1e-20)
}

func (k *hitShip) normalize() bool {
	sum, rooms := float32(0), float32(0)
	for _, t := range k.states {
		sum += t.odds
		rooms += t.odds * t.room
	}
	if sum < 1e-12 {
		return false
	}
	for i := range k.states {
		k.states[i].odds /= sum
	}
	k.scale = 1 / max(rooms/sum, 1e-20)
	return true
}
