package infer

import (
	"slices"

	"broadside/match"
)

// Count estimates ship probabilities by counting. It keeps every theory that explains the
// hits and sinkings so far and weights it by the number of layouts that it leaves for the
// unhit ships. For each cell it adds up the probabilities of hit and unhit ships.
type Count struct {
	theories
	field   field
	settled bool   // whether the field was refined for the first shot
	start   *field // the field before the first shot of a game, refined; nil if not known yet
}

// settling is the number of times the field is refined before the first shot.
const settling = 5

// NewCount returns a Count for one game.
func NewCount(r match.Rules) *Count {
	return &Count{theories: newTheories(r), field: newField(r)}
}

// Reset forgets all answers. The Count is then as good as new.
func (c *Count) Reset() {
	c.theories.forget()
	c.field.reset()
	c.settled = false
}

// Add records an answer.
func (c *Count) Add(cell match.Cell, r match.Result) { c.update(cell, r) }

// Estimate describes the fleet as a whole, given the answers. It is valid until the next
// call of a method of its Count.
type Estimate struct {
	Cells   []CellChance // the open cells
	Wounded float64      // probability that a hit ship is still afloat
	Unhit   PerLength    // expected number of unhit ships, by length
	total   float64      // total weight of all theories; 0 if none can be true
}

// CellChance is the probability that a ship covers a cell.
type CellChance struct {
	match.Cell
	Chance float64
	at     int // the cell's entry in the tables of a field
}

// Update returns the estimate for the given open cells, which must include all cells that
// may hold an unknown ship. Call it once for each shot.
func (c *Count) Update(open match.Set) Estimate {
	if !c.settled {
		c.settled = true
		c.settle(open)
	}
	return c.refine(open)
}

// settle refines the field for the first shot. It is the same for every game that begins
// with an open board.
func (c *Count) settle(open match.Set) {
	begins := len(c.answers) == 0 && open == c.rules.Board()
	if begins && c.start != nil {
		c.field.copyFrom(c.start)
		return
	}
	c.field.weigh(open)
	c.field.count(&PerLength{})
	for range settling - 1 {
		c.refine(open)
	}
	if begins {
		c.start = &field{weight: slices.Clone(c.field.weight), taken: slices.Clone(c.field.taken), places: c.field.places}
	}
}

// refine updates the probabilities of all cells.
func (c *Count) refine(open match.Set) Estimate {
	c.field.weigh(open)
	o := c.expect()
	if o.total == 0 {
		c.restart()
		o = c.expect()
	}
	c.field.count(&o.Unhit)
	c.field.cover()
	o.Cells = c.field.open
	return o
}

// expect sums the theories. It sets the field's taken to the probability that a hit ship
// covers a cell.
func (c *Count) expect() Estimate {
	var o Estimate
	struck := c.field.taken
	clear(struck)
	for i := range c.all {
		th := &c.all[i]
		w, afloat := c.weight(th)
		th.share = float32(w)
		o.total += w
		for l, n := range th.free {
			o.Unhit[l] += w * float64(n)
		}
		if !afloat {
			continue
		}
		o.Wounded += w
		for k := range th.ships[:th.n] {
			if s := &th.ships[k]; !s.sunk() {
				at, step := c.field.entry(s)
				for range s.length {
					struck[at] += w
					at += step
				}
			}
		}
	}
	if o.total == 0 {
		return o
	}
	for i := range c.all {
		c.all[i].share /= float32(o.total)
	}
	for l := range o.Unhit {
		o.Unhit[l] /= o.total
	}
	if o.Wounded > 0 {
		scale := 1 / o.total
		for i := range struck {
			struck[i] *= scale
		}
	}
	o.Wounded /= o.total
	return o
}

// weight returns the relative likelihood of a theory, which is proportional to the number
// of layouts in which it is true. It also reports whether a hit ship is still afloat in it.
func (c *Count) weight(th *theory) (w float64, afloat bool) {
	for l, n := range th.free {
		if n > 0 && c.field.places[l] == 0 {
			return 0, false
		}
	}
	w = 1
	left := th.free
	for k := range th.ships[:th.n] {
		s := &th.ships[k]
		// A placed ship has one place instead of all.
		left[s.length]++
		w *= float64(left[s.length])
		if n := c.field.places[s.length]; n > 0 {
			w /= n
		}
		if s.sunk() {
			continue
		}
		afloat = true
		at, step := c.field.entry(s)
		for range s.length {
			if free := c.field.openWeight[at]; free > 0 {
				w *= free
			}
			at += step
		}
	}
	return w, afloat
}

// entry returns the index of the ship's first cell in the field's tables, and the step to
// the next cell.
func (f *field) entry(s *placedShip) (at, step int) {
	step = 1
	if s.south {
		step = f.stride
	}
	return f.index(s.x, s.y), step
}
