package bots

import (
	"broadside/match"
)

// commodore shoots where a ship is most likely to lie: the probability density
// that the documented game in Python proposed for its successor. It keeps every
// theory that explains the hits and sinkings so far, weighs it by the number of
// layouts that it leaves to the ships not hit yet, and adds up, for each cell,
// the chances of the ships that were hit and of those that were not.
//
// While it hunts, cells on the diagonal grid that the smallest ship cannot slip
// through count for more: they pay later, too.
type commodore struct {
	base
	theories
	field  field
	struck fieldTable // the chance that a ship that was hit covers a cell
	begun  bool
}

const (
	// gridBonus is what a cell of the grid counts for more.
	gridBonus = 0.3
	// hunting is how unlikely it must be that a ship that was hit still
	// floats, for the bot to hunt; and how few ships of a length are too few
	// to hunt for.
	hunting = 0.2
	// settling is how many times the field is refined before the first shot.
	settling = 5
)

func newCommodore(c Config) *commodore {
	b := &commodore{
		base:     base{c.Rules, c.Rand},
		theories: newTheories(c.Rules),
		field:    newField(c.Rules),
	}
	b.struck = make(fieldTable, len(b.field.taken))
	return b
}

// Told follows the answers.
func (b *commodore) Told(cell match.Cell, r match.Result) { b.learn(cell, r) }

// Fire is the cell that counts most, ties at random.
func (b *commodore) Fire(chart *match.Chart) match.Cell {
	open := openCells(chart)
	if !b.begun {
		b.begun = true
		b.field.weigh(open)
		b.field.count(&perLength{})
		for range settling - 1 {
			b.look(open)
		}
	}
	o := b.look(open)
	grid := huntingGrid(b.field.spots, o)
	best := b.field.spots[0].Cell
	most, ties := -1.0, 0
	for _, c := range b.field.spots {
		p := b.field.taken[c.at]
		if grid[c.X+c.Y] {
			p *= 1 + gridBonus
		}
		const rounding = 1e-9
		switch {
		case p > most*(1+rounding):
			best, most, ties = c.Cell, p, 1
		case p >= most*(1-rounding):
			ties++
			if b.rng.IntN(ties) == 0 {
				best = c.Cell
			}
		}
	}
	return best
}

// look brings the chances of all cells up to date.
func (b *commodore) look(open match.Set) outlook {
	b.field.weigh(open)
	o := b.expect()
	if o.total == 0 {
		b.again()
		o = b.expect()
	}
	b.field.count(&o.free)
	copy(b.field.taken, b.struck)
	for _, c := range b.field.spots {
		b.field.taken[c.at] += (1 - b.struck[c.at]) * b.field.chance(c.at)
	}
	return o
}

// outlook is what the theories say of the fleet as a whole.
type outlook struct {
	total    float64   // the weight of all theories; 0 if none can be true
	floating float64   // the chance that a ship that was hit still floats
	free     perLength // how many ships that were not hit to expect
}

// expect adds up the theories.
func (b *commodore) expect() outlook {
	var o outlook
	clear(b.struck)
	for i := range b.all {
		th := &b.all[i]
		w, afloat := b.weight(th)
		th.share = float32(w)
		o.total += w
		for l, n := range th.free {
			o.free[l] += w * float64(n)
		}
		if !afloat {
			continue
		}
		o.floating += w
		for k := range th.ships[:th.n] {
			if s := &th.ships[k]; !s.sunk() {
				at, step := b.field.entry(s)
				for range s.length {
					b.struck[at] += w
					at += step
				}
			}
		}
	}
	if o.total == 0 {
		return o
	}
	for i := range b.all {
		b.all[i].share /= float32(o.total)
	}
	for l := range o.free {
		o.free[l] /= o.total
	}
	if o.floating > 0 {
		for i := range b.struck {
			b.struck[i] /= o.total
		}
	}
	o.floating /= o.total
	return o
}

// weight is how likely a theory is, compared with others: in proportion to the
// number of layouts in which it is true. It tells as well whether a ship that
// was hit floats in it.
func (b *commodore) weight(th *theory) (w float64, afloat bool) {
	for l, n := range th.free {
		if n > 0 && b.field.places[l] == 0 {
			return 0, false
		}
	}
	w = 1
	left := th.free
	for k := range th.ships[:th.n] {
		s := &th.ships[k]
		// Each ship that lies somewhere has one place instead of all.
		left[s.length]++
		w *= float64(left[s.length])
		if n := b.field.places[s.length]; n > 0 {
			w /= n
		}
		if s.sunk() {
			continue
		}
		afloat = true
		at, step := b.field.entry(s)
		for range s.length {
			if free := b.field.open[at]; free > 0 {
				w *= free
			}
			at += step
		}
	}
	return w, afloat
}

// entry is the entry of the ship's first cell in a field's tables, and the
// step to the next.
func (f *field) entry(s *berth) (at, step int) {
	step = 1
	if s.south {
		step = f.stride
	}
	return f.index(s.x, s.y), step
}

// diagonals is some of the diagonals of a board, by the sum of the coordinates
// of their cells.
type diagonals [2 * match.MaxSize]bool

// huntingGrid is the grid to hunt on, of the smallest ship not hit yet: of all
// whose diagonals lie as far apart as the ship is long, the one with the fewest
// open cells. During a chase there is none.
func huntingGrid(open []spot, o outlook) diagonals {
	var grid diagonals
	if o.floating >= hunting {
		return grid
	}
	period := minShip
	for period <= maxShip && o.free[period] < hunting {
		period++
	}
	if period > maxShip {
		return grid
	}
	var cells [len(grid)]int
	for _, c := range open {
		cells[c.X+c.Y]++
	}
	best, fewest := 0, 0
	for first := range period {
		n := 0
		for i := first; i < len(cells); i += period {
			n += cells[i]
		}
		if n > 0 && (fewest == 0 || n < fewest) {
			best, fewest = first, n
		}
	}
	for i := best; i < len(grid); i += period {
		grid[i] = true
	}
	return grid
}
