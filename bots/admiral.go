package bots

import (
	"cmp"
	"slices"

	"broadside/bots/infer"
	"broadside/match"
)

func init() {
	register(120, Info{Name: "admiral", About: "where-most-of-the-fleets", Learns: true, Placement: "resist", Mover: "evade"}, plain(flagship))
}

const (
	// admiralHunts is how likely it may be, while the admiral hunts, that a
	// ship it has hit still floats. Where ships may touch, this is how it
	// knows that it has finished a chase.
	admiralHunts = 0.05
	// admiralParity is by how much a cell of the hunting grid is preferred.
	// The likeliest cells alone would leave a patchwork in which small ships
	// hide.
	admiralParity = 0.25
	// admiralAfloat is how many ships of a length must be expected to float
	// for them to set the grid.
	admiralAfloat = 0.5

	// admiralTries is how many of the likeliest cells are played out, and
	// admiralClose how likely such a cell must be, compared with the best.
	admiralTries = 15
	admiralClose = 0.45
	// admiralSure is the probability at which nothing can be better.
	admiralSure = 0.999
)

// admiral shoots where a ship is likeliest, over all layouts that agree with
// every answer, each with the probability that this opponent's habits give it.
// While it chases nothing, it prefers the cells of a diagonal grid that the
// smallest ship afloat cannot slip through.
type admiral struct {
	base
	belief *infer.Layouts
	doubt  *commodore // shoots when the answers contradict each other
}

func newAdmiral(c Config) *admiral {
	return &admiral{
		base:   base{c.Rules, c.Rand},
		belief: infer.NewLayouts(c.Rules, c.Memory, c.Rand),
		doubt:  newCommodore(c),
	}
}

// flagship returns the strategy of admiral: that of tracker where ships move.
func flagship(c Config) shooter {
	if c.Rules.Moving {
		return newTracker(c)
	}
	return newAdmiral(c)
}

// Told enters an answer.
func (b *admiral) Told(cell match.Cell, r match.Result) {
	b.belief.Add(cell, r)
	b.doubt.Told(cell, r)
}

// Fire returns the best cell by what the admiral believes.
func (b *admiral) Fire(chart *match.Chart) match.Cell {
	cell, _ := b.advise(chart)
	return cell
}

// advise returns the best cell, and the probability of a ship in each cell; nil if
// the answers contradict each other.
func (b *admiral) advise(chart *match.Chart) (match.Cell, []float64) {
	if !b.belief.Update() {
		return b.doubt.Fire(chart), nil
	}
	cell, ok := b.best(openCells(chart))
	if !ok {
		cell = b.doubt.Fire(chart)
	}
	return cell, b.belief.Chances()
}

// best returns the best open cell, false if none can hold a ship.
func (b *admiral) best(open match.Set) (match.Cell, bool) {
	options := b.options(open)
	if len(options) == 0 {
		return match.Cell{}, false
	}
	var tries []uint16
	for _, o := range options[:min(len(options), admiralTries)] {
		if o.value >= admiralClose*options[0].value {
			tries = append(tries, o.cell)
		}
	}
	best := tries[0]
	if len(tries) > 1 && options[0].value < admiralSure {
		if cell, ok := b.belief.FewestMisses(tries); ok {
			best = cell
		}
	}
	return match.At(int(best)%b.rules.Size, int(best)/b.rules.Size), true
}

// option is a cell to shoot at. Its value is the probability of a ship there,
// more on the hunting grid.
type option struct {
	cell  uint16 // its number
	value float64
}

// options returns the open cells that can hold a ship, the best first.
func (b *admiral) options(open match.Set) []option {
	grid, period := -1, 1
	if b.belief.Wounded() < admiralHunts {
		grid, period = b.grid(open)
	}
	var options []option
	chances := b.belief.Chances()
	for c := range open.All() {
		n := b.number(c)
		v := chances[n]
		if int(c.X+c.Y)%period == grid {
			v *= 1 + admiralParity*(1-v)
		}
		if v > 0 {
			options = append(options, option{uint16(n), v})
		}
	}
	slices.SortStableFunc(options, func(a, b option) int { return cmp.Compare(b.value, a.value) })
	return options
}

// grid returns the diagonal grid to hunt on: the cells whose x+y leaves a remainder
// of grid, divided by period. Of those that the smallest ship afloat cannot
// slip through, it is the one with the fewest cells that can hold a ship.
func (b *admiral) grid(open match.Set) (grid, period int) {
	period = 1
	for _, length := range b.belief.Lengths() {
		if b.belief.Afloat(length) >= admiralAfloat {
			period = length
		}
	}
	chances := b.belief.Chances()
	var cells [infer.MaxShip]int
	for c := range open.All() {
		if chances[b.number(c)] > 0 {
			cells[int(c.X+c.Y)%period]++
		}
	}
	for i, n := range cells[:period] {
		if n > 0 && (cells[grid] == 0 || n < cells[grid]) {
			grid = i
		}
	}
	return grid, period
}
