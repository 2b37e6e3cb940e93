package infer

import (
	"broadside/match"
)

// placedShip is a ship at a place, heading east or south.
type placedShip struct {
	x, y   int8 // the first cell
	length int8
	south  bool
	hits   int8 // number of hit cells
}

// PerLength holds a value for each ship length.
type PerLength [match.MaxLength + 1]float64

// covers reports whether the ship covers a cell.
func (b *placedShip) covers(c match.Cell) bool {
	if b.south {
		return c.X == b.x && c.Y >= b.y && c.Y < b.y+b.length
	}
	return c.Y == b.y && c.X >= b.x && c.X < b.x+b.length
}

// sunk reports whether all its cells have been hit.
func (b *placedShip) sunk() bool { return b.hits == b.length }

// last returns the ship's last cell.
func (b *placedShip) last() (x, y int8) {
	if b.south {
		return b.x, b.y + b.length - 1
	}
	return b.x + b.length - 1, b.y
}

// clashes reports whether two ships are closer together than the rules allow.
func (b *placedShip) clashes(o *placedShip, contact match.Contact) bool {
	bx, by := b.last()
	ox, oy := o.last()
	// The compiler generates code without branches for int, but not for int8.
	dx := max(int(o.x)-int(bx), int(b.x)-int(ox), 0) // 1 if in adjacent columns
	dy := max(int(o.y)-int(by), int(b.y)-int(oy), 0)
	switch contact {
	case match.TouchAny:
		return dx+dy == 0
	case match.TouchCorners:
		return dx+dy <= 1
	default:
		return max(dx, dy) <= 1
	}
}

// theory is one explanation of all hits and sinkings: ships that cover the hit cells. The
// remaining ships are unhit and may lie anywhere.
type theory struct {
	share float32 // of the likelihood of all theories, when last weighed
	n     int8    // number of ships hit
	free  [match.MaxLength + 1]int8
	ships [match.MaxShips]placedShip
}

// at returns the index of the ship at a cell, or -1.
func (th *theory) at(c match.Cell) int {
	for k := range th.ships[:th.n] {
		if th.ships[k].covers(c) {
			return k
		}
	}
	return -1
}

// room reports whether a ship fits among those of the theory.
func (th *theory) room(b *placedShip, contact match.Contact) bool {
	for k := range th.ships[:th.n] {
		if th.ships[k].clashes(b, contact) {
			return false
		}
	}
	return true
}

// theories holds every theory that agrees with the answers, except unlikely ones if there
// are too many. Those are searched for again when no other theory is left.
type theories struct {
	rules   match.Rules
	most    int // maximum number of theories; beyond it, none is extended
	all     []theory
	thinned bool // whether some theories were left out
	answers []answer
	shots   []bool // cells shot at, row by row

	next   []theory // buffers
	places []placedShip
}

type answer struct {
	cell   match.Cell
	result match.Result
}

const (
	// mostTheories limits the work per shot.
	mostTheories = 2000
	// leastShare is the minimum share of a theory to be extended.
	leastShare = 1e-3
)

func newTheories(r match.Rules) theories {
	const common = 40 // rarely exceeded after a first hit
	t := theories{
		rules: r, most: mostTheories, shots: make([]bool, r.Size*r.Size),
		all: make([]theory, 0, common), next: make([]theory, 0, common), places: make([]placedShip, 0, common),
		answers: make([]answer, 0, r.Size*r.Size/2),
	}
	t.reset()
	return t
}

// forget forgets all answers.
func (t *theories) forget() {
	t.answers = t.answers[:0]
	clear(t.shots)
	t.reset()
}

// reset resets to the single theory that nothing has been hit.
func (t *theories) reset() {
	th := theory{share: 1}
	for _, class := range t.rules.Fleet {
		th.free[class.Length]++
	}
	t.all, t.thinned = append(t.all[:0], th), false
}

// update updates the theories with an answer. Repeated shots are ignored.
func (t *theories) update(cell match.Cell, r match.Result) {
	if t.shots[t.index(cell)] {
		return
	}
	t.answers = append(t.answers, answer{cell, r})
	t.shots[t.index(cell)] = true
	t.judge(cell, r)
	if len(t.all) == 0 {
		t.restart()
	}
}

// restart rebuilds the theories from all answers. Knowing all water cells from the start
// leaves far fewer intermediate theories than before. If it finds none, the bot continues
// as if nothing had been hit: until the next attempt if some theories were left out,
// otherwise permanently, because the answers are false.
func (t *theories) restart() {
	if t.thinned {
		t.reset()
		for _, a := range t.answers {
			t.shots[t.index(a.cell)] = a.result == match.Water
		}
		for _, a := range t.answers {
			if a.result != match.Water {
				t.shots[t.index(a.cell)] = true
				t.judge(a.cell, a.result)
			}
		}
	}
	if len(t.all) > 0 {
		return
	}
	lost := t.thinned
	t.reset()
	t.thinned = lost
	if !lost {
		t.answers = t.answers[:0]
	}
}

// judge drops the theories that an answer refutes, and extends those that do not explain a
// hit yet.
func (t *theories) judge(cell match.Cell, r match.Result) {
	t.next = t.next[:0]
	if r == match.Hit {
		t.survey(cell)
	}
	for i := range t.all {
		th := &t.all[i]
		k := th.at(cell)
		switch {
		case k < 0 && r == match.Water:
			t.next = append(t.next, *th)
		case k < 0 && r == match.Hit:
			t.extend(th)
		case k >= 0 && r != match.Water:
			hit := th.ships[k]
			hit.hits++
			if hit.sunk() == (r != match.Hit) {
				t.next = append(t.next, *th)
				t.next[len(t.next)-1].ships[k] = hit
			}
		}
	}
	t.all, t.next = t.next, t.all
}

// survey finds every place for a ship whose first hit is at a cell.
func (t *theories) survey(hit match.Cell) {
	t.places = t.places[:0]
	for _, south := range [...]bool{false, true} {
		before, after := t.reach(hit, south, -1), t.reach(hit, south, 1)
		for length := int8(match.MinLength); length <= match.MaxLength; length++ {
			for back := max(0, length-1-after); back <= min(before, length-1); back++ {
				b := placedShip{x: hit.X, y: hit.Y, length: length, south: south, hits: 1}
				if south {
					b.y -= back
				} else {
					b.x -= back
				}
				t.places = append(t.places, b)
			}
		}
	}
}

// reach returns how far a ship can extend from a hit over cells not shot at: to the south
// or east, or in the opposite direction if step is -1.
func (t *theories) reach(c match.Cell, south bool, step int8) int8 {
	for n := range int8(match.MaxLength - 1) {
		if south {
			c.Y += step
		} else {
			c.X += step
		}
		if !t.rules.Contains(c) || t.shots[t.index(c)] {
			return n
		}
	}
	return match.MaxLength - 1
}

// extend adds the theories in which one more ship, at one of the surveyed places, explains
// a hit.
func (t *theories) extend(th *theory) {
	for i := range t.places {
		b := &t.places[i]
		if th.free[b.length] == 0 || !th.room(b, t.rules.Contact) {
			continue
		}
		if th.share < leastShare || len(t.next) >= t.most {
			t.thinned = true
			return
		}
		t.next = append(t.next, *th)
		more := &t.next[len(t.next)-1]
		more.ships[more.n] = *b
		more.n++
		more.free[b.length]--
	}
}

// index returns the index of a cell in shots.
func (t *theories) index(c match.Cell) int { return int(c.Y)*t.rules.Size + int(c.X) }
