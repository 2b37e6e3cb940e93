package bots

import (
	"cmp"
	"slices"

	"broadside/match"
)

const (
	// admiralDraws is the size of a sample. Ten times as many gain less than a
	// tenth of a shot a game.
	admiralDraws = 1000
	// admiralPilot is how many draws show whether all layouts can be
	// enumerated instead.
	admiralPilot = 50
	// admiralExact is how many layouts are enumerated, as far as the pilot can
	// tell, and admiralSteps bounds the work if it was wrong.
	admiralExact = 100_000
	admiralSteps = 400_000
	// admiralList is how many layouts are played out one by one, and
	// admiralTries how many of the likeliest cells are tried there.
	// admiralClose is how likely such a cell must be, compared with the best.
	admiralList  = 2000
	admiralTries = 6
	admiralClose = 0.6
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
	clear(b.cells)
	for n, mass := range b.mass {
		if mass == 0 {
			continue
		}
		s := &p.stations[n]
		for _, c := range s.cells[:s.n] {
			b.cells[c] += mass / b.total
		}
	}
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
	few := p.total <= admiralExact && p.enumerate(admiralSteps)
	b.listed = few && p.total+float64(len(b.habits.again)) <= admiralList
	if b.listed {
		b.list()
	}
	sum := 0.0
	for i, a := range b.habits.fresh {
		p.weight = a.weight
		if !few || !p.enumerate(admiralSteps) {
			p.sample(int(admiralDraws * max(0.1, b.shares[i])))
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

// list lists all layouts that agree with the answers.
func (b *admiral) list() {
	p := b.belief
	b.ahead.reset()
	p.weight = nil
	p.listed = func(stations []int) {
		prior := 0.0
		for _, a := range b.habits.fresh {
			prior += a.prior * product(a.weight, stations)
		}
		b.ahead.add(stations, b.log, prior)
	}
	p.enumerate(admiralSteps)
	p.listed = nil
	for _, r := range b.habits.again {
		if agrees, _ := p.agrees(r.stations); agrees {
			b.ahead.add(r.stations, b.log, r.prior)
		}
	}
}

// best is the open cell of the highest value, false if all are worthless.
func (b *admiral) best(open match.Set) (match.Cell, bool) {
	grid, period := -1, 1
	if b.chased < admiralHunts*b.total {
		grid, period = b.grid(open)
	}
	type option struct {
		cell  uint16
		value float64
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
	if len(options) == 0 {
		return match.Cell{}, false
	}
	slices.SortStableFunc(options, func(a, b option) int { return cmp.Compare(b.value, a.value) })
	if !b.listed || options[0].value > 0.999 {
		return b.belief.cell(int(options[0].cell)), true
	}
	var tries []uint16
	for _, o := range options[:min(len(options), admiralTries)] {
		if o.value >= admiralClose*options[0].value {
			tries = append(tries, o.cell)
		}
	}
	return b.belief.cell(int(b.ahead.best(tries))), true
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
