package bots

import (
	"sync"

	"broadside/match"
)

// tracker keeps a belief over where each ship of the opponent lies and which of
// its parts are hit, and lets it spread as ships may move. It shoots where a
// part not hit is most likely. It keeps two beliefs, one that ships move about
// as often as they may and one that they rarely do, and trusts the one that has
// foretold the answers better.
//
// Each ship is believed in by itself. Before each shot the places of a ship are
// weighed by the chance that the others, as they are believed in, leave room
// for it there. An answer that a ship was hit goes to the ship, of each length,
// that most likely lies there.
type tracker struct {
	base
	roads   *roads
	beliefs [2]belief
}

// colourBonus is what a cell of that colour counts for more.
const colourBonus = 1.15

// belief is what is believed of a fleet, under one way to move.
type belief struct {
	rate  float64 // how likely a ship afloat moves in a turn
	trust float64 // the share of this belief, 0 to 1
	ships []reckoning
}

// reckoning is the belief over one ship.
type reckoning struct {
	length int
	p      []float32 // by place and damage: place<<length | damage
	next   []float32 // of the same size, for the next turn
	room   []float32 // by place: the chance that the other ships leave it free
	denied []float32 // by cell: the chance that the ship lets no other lie there
	scale  float64   // 1 over the sum of p, weighed by room
}

// roads is where ships can lie and go on an empty board. It never changes once
// it is made.
type roads struct {
	rules match.Rules
	lanes [longest + 1]lane
}

// lane is the places of ships of one length.
type lane struct {
	cells   [][]uint16                // by place: the numbers of its cells, from the stern
	halo    [][]uint16                // by place: the cells where no other ship can lie
	to      [][match.Manoeuvres]int32 // by place: the place after a manoeuvre, or -1
	through [][]pass                  // by cell: the places that cover it
}

// pass is a place that covers a cell, with which of the ship's parts.
type pass struct {
	place   int32
	segment uint8
}

// turning is how often ships make each manoeuvre.
var turning = [match.Manoeuvres]float32{0.4, 0.3, 0.15, 0.15}

func newRoads(r match.Rules) *roads {
	w := &roads{rules: r}
	for _, class := range r.Fleet {
		l := &w.lanes[class.Length]
		if l.cells != nil {
			continue
		}
		l.through = make([][]pass, r.Size*r.Size)
		index := map[match.Ship]int32{}
		var ships []match.Ship
		for stern := range r.Board().All() {
			for h := match.North; h <= match.West; h++ {
				s := match.Ship{Stern: stern, Heading: h, Length: class.Length}
				if !r.Contains(s.Bow()) {
					continue
				}
				place := int32(len(ships))
				index[s] = place
				ships = append(ships, s)
				cells := make([]uint16, s.Length)
				for n := range cells {
					c := stern.Step(h, n)
					cells[n] = uint16(int(c.Y)*r.Size + int(c.X))
					l.through[cells[n]] = append(l.through[cells[n]], pass{place, uint8(n)})
				}
				l.cells = append(l.cells, cells)
				var around []uint16
				for c := range halo(r.Contact, s).Intersect(r.Board()).All() {
					around = append(around, uint16(int(c.Y)*r.Size+int(c.X)))
				}
				l.halo = append(l.halo, around)
			}
		}
		for _, s := range ships {
			var to [match.Manoeuvres]int32
			for m := range match.Manoeuvre(match.Manoeuvres) {
				to[m] = -1
				if place, ok := index[m.Of(s)]; ok {
					to[m] = place
				}
			}
			l.to = append(l.to, to)
		}
	}
	return w
}

// navalRoads are those of the preset, which are wanted most.
var navalRoads = sync.OnceValue(func() *roads { return newRoads(match.Naval()) })

func newTracker(c Config) *tracker {
	b := &tracker{base: base{c.Rules, c.Rand}}
	if c.Rules.Same(match.Naval()) {
		b.roads = navalRoads()
	} else {
		b.roads = newRoads(c.Rules)
	}
	for i, rate := range [...]float64{0.09, 0.002} {
		if !c.Rules.Moving {
			rate = 0
		}
		b.beliefs[i] = belief{rate: rate, trust: 0.5}
		for _, class := range c.Rules.Fleet {
			n := len(b.roads.lanes[class.Length].cells)
			r := reckoning{
				length: class.Length, p: make([]float32, n<<class.Length), next: make([]float32, n<<class.Length),
				room: make([]float32, n), denied: make([]float32, c.Rules.Size*c.Rules.Size), scale: 1,
			}
			for place := range r.room {
				r.room[place] = 1
			}
			r.begin(n)
			b.beliefs[i].ships = append(b.beliefs[i].ships, r)
		}
	}
	return b
}

func (*tracker) afloat() {}

// begin believes in every place alike, without a hit.
func (r *reckoning) begin(places int) {
	clear(r.p)
	for place := range places {
		r.p[place<<r.length] = 1 / float32(places)
	}
}

// Fire is where a part of a ship that is not hit is most likely.
func (b *tracker) Fire(chart *match.Chart) match.Cell {
	size := b.rules.Size
	chance := make([]float64, size*size)
	for i := range b.beliefs {
		k := &b.beliefs[i]
		k.make(b.roads)
		k.make(b.roads) // what one ship leaves to others depends on what they leave to it
		for j := range k.ships {
			k.ships[j].spread(&b.roads.lanes[k.ships[j].length], chance, k.trust)
		}
	}
	best, most := match.Cell{}, -1.0
	for c := range openCells(chart).All() {
		// Chance decides between cells that are alike. No ship is without a cell
		// of one colour of the chessboard, so it pays to search that one first.
		p := chance[int(c.Y)*size+int(c.X)] * (1 + 0.02*b.rng.Float64())
		if (c.X+c.Y)%2 == 0 {
			p *= colourBonus
		}
		if p > most {
			best, most = c, p
		}
	}
	return best
}

// make makes room: it weighs the places of each ship by what is believed of
// the others.
func (k *belief) make(w *roads) {
	for i := range k.ships {
		k.ships[i].deny(&w.lanes[k.ships[i].length])
	}
	for i := range k.ships {
		r := &k.ships[i]
		l := &w.lanes[r.length]
		sum := 0.0
		for place, cells := range l.cells {
			room := float32(1)
			for j := range k.ships {
				if j == i {
					continue
				}
				most := float32(0)
				for _, c := range cells {
					most = max(most, k.ships[j].denied[c])
				}
				room *= 1 - min(most, 0.999)
			}
			r.room[place] = room
			for _, p := range r.p[place<<r.length : (place+1)<<r.length] {
				sum += float64(p * room)
			}
		}
		r.scale = 1 / max(sum, 1e-12)
	}
}

// deny works out where the ship lets no other lie.
func (r *reckoning) deny(l *lane) {
	clear(r.denied)
	for place, around := range l.halo {
		sum := float32(0)
		for _, p := range r.p[place<<r.length : (place+1)<<r.length] {
			sum += p
		}
		if sum *= r.room[place] * float32(r.scale); sum == 0 {
			continue
		}
		for _, c := range around {
			r.denied[c] += sum
		}
	}
}

// spread adds to each cell the chance that a part not hit lies there.
func (r *reckoning) spread(l *lane, chance []float64, weight float64) {
	full := 1<<r.length - 1
	for place, cells := range l.cells {
		here := r.p[place<<r.length : (place+1)<<r.length]
		scale := weight * float64(r.room[place]) * r.scale
		for damage, p := range here[:full] {
			if p == 0 {
				continue
			}
			for n, c := range cells {
				if damage>>n&1 == 0 {
					chance[c] += scale * float64(p)
				}
			}
		}
	}
}

// Told follows an answer, and then lets ships move.
func (b *tracker) Told(cell match.Cell, r match.Result) {
	c := int(cell.Y)*b.rules.Size + int(cell.X)
	total := 0.0
	for i := range b.beliefs {
		k := &b.beliefs[i]
		k.trust *= max(k.answer(b.roads, c, r), 1e-3)
		total += k.trust
	}
	for i := range b.beliefs {
		k := &b.beliefs[i]
		k.trust = max(k.trust/total, 0.02) // opponents change their ways
		for j := range k.ships {
			k.ships[j].move(&b.roads.lanes[k.ships[j].length], float32(k.rate), c)
		}
	}
}

// answer enters an answer for a cell and returns how likely it was.
func (k *belief) answer(w *roads, c int, r match.Result) float64 {
	likely := make([]float64, len(k.ships)) // that the ship gives this answer
	covers := make([]float64, len(k.ships)) // that the ship lies there
	free := 1.0                             // that none does
	for i := range k.ships {
		likely[i], covers[i] = k.ships[i].chance(&w.lanes[k.ships[i].length], c, r)
		free *= 1 - min(covers[i], 0.999)
	}
	if r == match.Water {
		for i := range k.ships {
			k.ships[i].away(&w.lanes[k.ships[i].length], c)
		}
		return free
	}
	// Of ships of equal length the likeliest one stands for all.
	odds := make([]float64, len(k.ships))
	total := 0.0
	for i := range k.ships {
		o := likely[i] / (1 - min(covers[i], 0.999))
		at := i
		for j := range i {
			if k.ships[j].length == k.ships[i].length && odds[j] > 0 {
				if o > odds[j] { // it takes the place of the other
					odds[i] = odds[j] + o
					odds[j] = 0
				} else {
					odds[j] += o
				}
				at = -1
				break
			}
		}
		if at == i {
			odds[i] = o
		}
		total += o
	}
	if total <= 0 {
		return 0 // nothing believed in explains it
	}
	for i := range k.ships {
		k.ships[i].struck(&w.lanes[k.ships[i].length], c, r, odds[i]/total)
	}
	sum := 0.0
	for i := range likely {
		sum += likely[i]
	}
	return min(sum, 1)
}

// fits tells whether a ship that is hit at a segment answers so.
func fits(length, damage int, segment uint8, r match.Result) bool {
	return (damage|1<<segment == 1<<length-1) == (r != match.Hit)
}

// chance is how likely the ship lies on a cell, and how likely it does and
// gives the answer.
func (r *reckoning) chance(l *lane, c int, answer match.Result) (likely, covers float64) {
	for _, t := range l.through[c] {
		for damage := range 1 << r.length {
			p := float64(r.p[int(t.place)<<r.length|damage]*r.room[t.place]) * r.scale
			covers += p
			if fits(r.length, damage, t.segment, answer) {
				likely += p
			}
		}
	}
	return likely, covers
}

// away believes that the ship does not lie on a cell.
func (r *reckoning) away(l *lane, c int) {
	for _, t := range l.through[c] {
		clear(r.p[int(t.place)<<r.length : (int(t.place)+1)<<r.length])
	}
	r.normalize(l)
}

// struck believes with the given chance that the ship was hit at a cell, and
// else that it lies elsewhere.
func (r *reckoning) struck(l *lane, c int, answer match.Result, chance float64) {
	clear(r.next)
	hit := float32(0)
	for _, t := range l.through[c] {
		for damage := range 1 << r.length {
			if i := int(t.place)<<r.length | damage; fits(r.length, damage, t.segment, answer) {
				r.next[i|1<<t.segment] += r.p[i] * r.room[t.place]
				hit += r.p[i] * r.room[t.place]
			}
		}
		clear(r.p[int(t.place)<<r.length : (int(t.place)+1)<<r.length])
	}
	rest := float32(0)
	for _, p := range r.p {
		rest += p
	}
	a, b := float32(chance), 1-float32(chance)
	if hit <= 0 {
		a = 0
	} else {
		a /= hit
	}
	if rest <= 0 {
		b = 0
	} else {
		b /= rest
	}
	for i, p := range r.p {
		r.p[i] = a*r.next[i] + b*p
	}
	r.normalize(l)
}

// normalize makes the beliefs add up to 1. Where nothing is left to believe in,
// it begins anew.
func (r *reckoning) normalize(l *lane) {
	sum := float32(0)
	for _, p := range r.p {
		sum += p
	}
	if sum < 1e-20 {
		r.begin(len(l.cells))
		return
	}
	for i, p := range r.p {
		if p *= 1 / sum; p < 1e-9 {
			p = 0 // not worth the time
		}
		r.p[i] = p
	}
}

// move lets the ship move at a rate, but not into the cell shot at last. What
// is sunk stays.
func (r *reckoning) move(l *lane, rate float32, shot int) {
	full := 1<<r.length - 1
	clear(r.next)
	for place, to := range l.to {
		from := place << r.length
		for damage := 0; damage <= full; damage++ {
			p := r.p[from|damage]
			if p == 0 {
				continue
			}
			stays := p
			if damage != full {
				for m, dest := range to {
					if dest >= 0 && !covers(l.cells[dest], shot) {
						moved := p * rate * turning[m]
						r.next[int(dest)<<r.length|damage] += moved
						stays -= moved
					}
				}
			}
			r.next[from|damage] += stays
		}
	}
	r.p, r.next = r.next, r.p
}

func covers(cells []uint16, c int) bool {
	for _, d := range cells {
		if int(d) == c {
			return true
		}
	}
	return false
}
