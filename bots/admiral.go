package bots

import (
	"cmp"
	"slices"

	"broadside/match"
)

const (
	// admiralPilot is how many draws show whether all layouts can be
	// enumerated. They are up to admiralExact of them, in admiralSteps if the
	// pilot was right.
	admiralPilot = 50
	admiralExact = 100_000
	admiralSteps = 400_000
	// admiralDraws is the size of a sample where they cannot.
	admiralDraws = 1500

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

	// admiralList is how many layouts can all be listed, to look ahead in. It
	// pays only late in a game: nothing was gained by listing a sample of more.
	admiralList = 4000
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
	memory *Memory
	log    *answers
	doubt  *commodore // shoots when the answers contradict each other

	// What it believes, from the first shot on.
	belief *posterior
	habits *habits
	shares []float64 // by account: its part of the total at the last shot
	total  float64   // of the probabilities of all layouts that agree
	chased float64   // of those in which a ship afloat has been hit
	mass   []float64 // by station: of those with a ship there
	cells  []float64 // by cell: the probability of a ship there
	ahead  *lookahead
	listed bool // whether it has all layouts that agree
}

func newAdmiral(c Config) *admiral {
	return &admiral{
		base: base{c.Rules, c.Rand}, memory: c.Memory, log: newAnswers(c.Rules), doubt: newCommodore(c),
		cells: make([]float64, c.Rules.Size*c.Rules.Size),
	}
}

// Told enters the answer into the log.
func (b *admiral) Told(cell match.Cell, r match.Result) {
	if b.rules.Contains(cell) {
		b.log.add(int(cell.Y)*b.rules.Size+int(cell.X), r)
	}
	b.doubt.Told(cell, r)
}

// Fire is the best cell by what the admiral believes.
func (b *admiral) Fire(chart *match.Chart) match.Cell {
	if b.belief == nil {
		b.belief = newPosterior(newWaters(b.rules), b.rng)
		b.habits = newHabits(b.belief, b.memory)
		b.ahead = newLookahead(b.belief.waters)
		b.mass = make([]float64, len(b.belief.stations))
		b.shares = make([]float64, len(b.habits.fresh))
		for i := range b.shares {
			b.shares[i] = 1
		}
	}
	open := openCells(chart)
	if b.think() {
		if cell, ok := b.best(open); ok {
			return cell
		}
	}
	return b.doubt.Fire(chart)
}

// think works out the probabilities of all cells. False means that the answers
// contradict each other, or as good as.
func (b *admiral) think() bool {
	p := b.belief
	b.total, b.chased = 0, 0
	clear(b.mass)
	if !p.read(b.log) {
		return false
	}
	b.remember()
	b.imagine()
	if b.total == 0 {
		return false
	}
	p.spread(b.cells, b.mass, b.total)
	return true
}

// remember enters the layouts that may have come again.
func (b *admiral) remember() {
	for _, r := range b.habits.again {
		agrees, chased := b.belief.agrees(r.stations)
		if !agrees {
			continue
		}
		b.total += r.prior
		if chased {
			b.chased += r.prior
		}
		for _, n := range r.stations {
			b.mass[n] += r.prior
		}
	}
}

// imagine enters fresh layouts, by each account of them.
func (b *admiral) imagine() {
	p := b.belief
	p.weight = nil
	p.sample(admiralPilot)
	exact := p.total <= admiralExact && p.enumerate(admiralSteps)
	b.ahead.reset()
	if b.listed = exact && p.total <= b.afford(admiralList); b.listed {
		b.list()
	}
	sum := 0.0
	for i, a := range b.habits.fresh {
		p.weight = a.weight
		if !exact || !p.enumerate(admiralSteps) {
			p.sample(int(b.afford(admiralDraws) * max(0.1, b.shares[i])))
		}
		b.shares[i] = a.prior * p.total
		sum += b.shares[i]
		b.chased += a.prior * p.chased
		for n, mass := range p.mass {
			b.mass[n] += a.prior * mass
		}
	}
	b.total += sum
	for i := range b.shares {
		if sum > 0 {
			b.shares[i] /= sum
		}
	}
}

// list lists all layouts that agree, to look ahead in.
func (b *admiral) list() {
	p := b.belief
	p.found = func(stations []int) {
		prior := 0.0
		for _, a := range b.habits.fresh {
			prior += a.prior * product(a.weight, stations)
		}
		b.ahead.add(stations, b.log, prior)
	}
	p.enumerate(admiralSteps)
	p.found = nil
	for _, r := range b.habits.again {
		if agrees, _ := p.agrees(r.stations); agrees {
			b.ahead.add(r.stations, b.log, r.prior)
		}
	}
}

// afford is as much of some work as can be done for one shot: less on boards
// larger than the usual one.
func (b *admiral) afford(n float64) float64 {
	const usual = 16 // words of a set of stations
	return n * usual / float64(max(usual, b.belief.words))
}

// best is the best open cell, false if none can hold a ship.
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
	if b.listed && len(tries) > 1 && options[0].value < admiralSure {
		tries[0] = b.ahead.best(tries)
	}
	return b.belief.cell(int(tries[0])), true
}

// option is a cell to shoot at. Its value is the probability of a ship there,
// more on the hunting grid.
type option struct {
	cell  uint16
	value float64
}

// options is the open cells that can hold a ship, the best first.
func (b *admiral) options(open match.Set) []option {
	grid, period := -1, 1
	if b.chased < admiralHunts*b.total {
		grid, period = b.grid(open)
	}
	var options []option
	for c := range open.All() {
		n := b.belief.number(c)
		v := b.cells[n]
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

// grid is the diagonal grid to hunt on: the cells whose x+y leaves a remainder
// of grid, divided by period. Of those that the smallest ship afloat cannot
// slip through, it is the one with the fewest cells that can hold a ship.
func (b *admiral) grid(open match.Set) (grid, period int) {
	p := b.belief
	period = 1
	for _, length := range p.lengths {
		afloat := 0.0
		for n := 64 * p.from[length]; n < 64*p.to[length]; n++ {
			if !p.isWhole(n) {
				afloat += b.mass[n]
			}
		}
		if afloat >= admiralAfloat*b.total {
			period = length
		}
	}
	var cells [longest]int
	for c := range open.All() {
		if b.cells[p.number(c)] > 0 {
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
