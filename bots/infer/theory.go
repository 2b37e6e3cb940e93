package infer

import (
	"broadside/match"
)

// placedShip is where a ship lies, heading east or south.
type placedShip struct {
	x, y   int8 // the first cell
	length int8
	south  bool
	hits   int8 // how many of its cells have been hit
}

// maxFleet is the largest number of ships of any rule set.
const maxFleet = 10

// PerLength is a figure for each length of a ship.
type PerLength [MaxShip + 1]float64

// covers reports whether the ship lies on a cell.
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

// clashes reports whether two ships lie closer together than the rule allows.
func (b *placedShip) clashes(o *placedShip, contact match.Contact) bool {
	bx, by := b.last()
	ox, oy := o.last()
	dx := max(o.x-bx, b.x-ox, 0) // 1: in columns side by side
	dy := max(o.y-by, b.y-oy, 0)
	switch contact {
	case match.TouchAny:
		return dx+dy == 0
	case match.TouchCorners:
		return dx+dy <= 1
	default:
		return max(dx, dy) <= 1
	}
}

// theory is one way to explain all hits and sinkings there were: ships that
// cover the cells that were hit. The other ships have not been hit; they may
// lie anywhere.
type theory struct {
	share float32 // of the likelihood of all theories, as last weighed
	n     int8    // how many ships have been hit
	free  [MaxShip + 1]int8
	ships [maxFleet]placedShip
}

// at returns the ship at a cell, -1 if there is none.
func (th *theory) at(c match.Cell) int {
	for k := range th.ships[:th.n] {
		if th.ships[k].covers(c) {
			return k
		}
	}
	return -1
}

// room reports whether a ship can lie among those of the theory.
func (th *theory) room(b *placedShip, contact match.Contact) bool {
	for k := range th.ships[:th.n] {
		if th.ships[k].clashes(b, contact) {
			return false
		}
	}
	return true
}

// theories is every theory that agrees with the answers, but for unlikely ones
// where there are too many. Those are found again once no other is left.
type theories struct {
	rules   match.Rules
	most    int // how many theories there may be before none is extended any more
	all     []theory
	thinned bool // some theories were left out
	answers []answer
	shots   []bool // the cells shot at, row by row

	next   []theory // buffers
	places []placedShip
}

type answer struct {
	cell   match.Cell
	result match.Result
}

const (
	// mostTheories bounds the work for a shot.
	mostTheories = 2000
	// leastShare is the share of a theory that is worth following up.
	leastShare = 1e-3
)

func newTheories(r match.Rules) theories {
	const common = 40 // after a first hit
	t := theories{
		rules: r, most: mostTheories, shots: make([]bool, r.Size*r.Size),
		all: make([]theory, 0, common), next: make([]theory, 0, common), places: make([]placedShip, 0, common),
		answers: make([]answer, 0, r.Size*r.Size/2),
	}
	t.begin()
	return t
}

// begin leaves the one theory that nothing has been hit.
func (t *theories) begin() {
	th := theory{share: 1}
	for _, class := range t.rules.Fleet {
		th.free[class.Length]++
	}
	t.all, t.thinned = append(t.all[:0], th), false
}

// learn follows an answer. A repeated shot tells nothing new.
func (t *theories) learn(cell match.Cell, r match.Result) {
	if t.shots[t.index(cell)] {
		return
	}
	t.answers = append(t.answers, answer{cell, r})
	t.shots[t.index(cell)] = true
	t.judge(cell, r)
	if len(t.all) == 0 {
		t.again()
	}
}

// again finds the theories anew. Knowing from the start all that is water
// leaves far fewer of them on the way than there were at first. If none is
// found, the bot goes on as if nothing had been hit: until it tries again, if
// some were left out; else for good, since the answers are not true.
func (t *theories) again() {
	if t.thinned {
		t.begin()
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
	t.begin()
	t.thinned = lost
	if !lost {
		t.answers = t.answers[:0]
	}
}

// judge drops the theories that an answer refutes, and extends those that do
// not explain a hit yet.
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

// survey finds every place for a ship that was first hit at a cell.
func (t *theories) survey(hit match.Cell) {
	t.places = t.places[:0]
	for _, south := range [...]bool{false, true} {
		before, after := t.reach(hit, south, -1), t.reach(hit, south, 1)
		for length := int8(MinShip); length <= MaxShip; length++ {
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

// reach returns how far a ship can reach from a hit over cells not shot at, to the
// south or east, or the other way if step is -1.
func (t *theories) reach(c match.Cell, south bool, step int8) int8 {
	for n := range int8(MaxShip - 1) {
		if south {
			c.Y += step
		} else {
			c.X += step
		}
		if !t.rules.Contains(c) || t.shots[t.index(c)] {
			return n
		}
	}
	return MaxShip - 1
}

// extend adds the theories in which one more ship, at a place surveyed,
// explains a hit.
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

// index returns the place of a cell in shots.
func (t *theories) index(c match.Cell) int { return int(c.Y)*t.rules.Size + int(c.X) }
