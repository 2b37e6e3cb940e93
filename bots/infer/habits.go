package infer

import (
	"math"
	"slices"

	"broadside/match"
	"broadside/match/layouts"
)

// habits predicts an opponent's next layout before the first shot. The layout either
// repeats an earlier one, possibly rotated or mirrored, or is new. Several models, called
// accounts, describe where this opponent prefers to put ships in new layouts. Each account
// is weighted by how well it would have predicted the earlier layouts, so an opponent
// without habits is soon treated as such.
type habits struct {
	fresh []account
	again []repeat
}

// account is a model of new layouts: their probabilities are proportional to the product of
// the weights of their positions.
type account struct {
	weight []float64 // by position; nil if all are equal
	prior  float64   // the account's probability, divided by the sum of all layouts' weights
}

// repeat is a layout that may be used again.
type repeat struct {
	positions []int
	prior     float64 // its probability
}

const (
	// habitDecay is the weight of a game relative to the next one. Habits change.
	habitDecay = 0.97
	// turnedPrior is the assumed number of repeats before the first observed one.
	// turnedSeen is how many of them are rotated or mirrored.
	turnedSeen, turnedPrior = 0.2, 1.0
	// habitSketch is the number of layouts that represent all layouts when accounts are
	// compared.
	habitSketch = 600
	// habitDraws is the size of the samples used to estimate total weights.
	habitDraws = 1000
	// habitIgnored is the probability below which an account is dropped.
	habitIgnored = 0.01
)

// restlessness lists the rates at which an opponent may create new layouts, assumed to be
// equally likely: after n games the next layout is new with probability rate/(rate+n),
// otherwise it repeats an earlier one.
var restlessness = [...]float64{0.5, 2, 10, 50, 1e9}

// newHabits derives habits from a memory. It uses the posterior's buffers and random
// source.
func newHabits(p *layouts.Posterior, m *Memory) *habits {
	if m == nil || len(m.Layouts) == 0 && m.Games == 0 {
		return &habits{fresh: []account{{prior: 1}}}
	}
	h := &habits{}
	l := newLearner(p, m)
	if len(l.sketch) > 0 {
		l.accounts(h, l.repeats(h))
	}
	if len(h.fresh) == 0 {
		// The fleet barely fits on its board, and no draw succeeded.
		h.fresh = []account{{prior: 1}}
	}
	return h
}

// learner holds the state of newHabits.
type learner struct {
	*layouts.Posterior
	past   [][]int   // positions of the earlier layouts, oldest first
	known  []bool    // by layout: whether it or an image of it had occurred before
	usual  []float64 // by position: probability in a uniform layout
	sketch [][]int   // positions of some layouts
	shares []float64 // by layout of the sketch: the share of all layouts it represents
	struck []float64 // by cell: hits in games with unknown layouts
	other  float64   // the number of layouts they count as
}

func newLearner(p *layouts.Posterior, m *Memory) *learner {
	l := &learner{Posterior: p, usual: make([]float64, p.Len())}
	for _, layout := range m.Layouts {
		var positions []int
		for _, ship := range layout {
			if n := p.Find(ship); n >= 0 {
				positions = append(positions, n)
			}
		}
		if len(positions) == len(p.Rules.Fleet) {
			slices.Sort(positions)
			l.past = append(l.past, positions)
		}
	}
	p.Read(layouts.NewLog(p.Rules))
	p.Weight = nil
	p.Sample(habitDraws)
	for n, mass := range p.Mass {
		l.usual[n] = mass / p.Total
	}
	total := 0.0
	for range habitSketch {
		if positions, share, _ := p.Draw(); share > 0 {
			l.sketch = append(l.sketch, slices.Clone(positions))
			l.shares = append(l.shares, share)
			total += share
		}
	}
	for i := range l.shares {
		l.shares[i] /= total
	}
	l.glimpses(m)
	return l
}

// glimpses converts the hits in games with unknown layouts to a small number of layouts:
// just enough to show a habit, as they may be old.
func (l *learner) glimpses(m *Memory) {
	l.struck = make([]float64, l.Rules.Size*l.Rules.Size)
	sum := 0.0
	for c := range l.struck {
		l.struck[c] = float64(m.Ships[c])
		for _, positions := range l.past {
			if l.covers(positions, c) {
				l.struck[c]--
			}
		}
		l.struck[c] = max(0, l.struck[c])
		sum += l.struck[c]
	}
	games := min(5, float64(m.Games-len(l.past)))
	if sum == 0 || games <= 0 {
		clear(l.struck)
		return
	}
	l.other = games
	for c := range l.struck {
		l.struck[c] *= games * float64(l.Rules.FleetCells()) / sum
	}
}

func (l *learner) covers(positions []int, cell int) bool {
	return slices.ContainsFunc(positions, func(n int) bool { return slices.Contains(l.Cells(n), uint16(cell)) })
}

// transform returns positions rotated by quarter turns and, if turn is at least 4, mirrored.
func (l *learner) transform(positions []int, turn int) []int {
	size := l.Rules.Size
	var out []int
	for _, n := range positions {
		ship := l.Ship(n)
		ends := [2]match.Cell{ship.Stern, ship.Bow()}
		for i, c := range ends {
			x, y := int(c.X), int(c.Y)
			if turn >= 4 {
				x = size - 1 - x
			}
			for range turn % 4 {
				x, y = size-1-y, x
			}
			ends[i] = match.At(x, y)
		}
		ship.Stern = ends[0]
		for h := match.North; h <= match.West; h++ {
			if ship.Heading = h; ship.Bow() == ends[1] {
				out = append(out, l.Find(ship))
			}
		}
	}
	slices.Sort(out)
	return out
}

// repeats adds the layouts that may be repeated, and returns the probability of a new
// layout.
func (l *learner) repeats(h *habits) (fresh float64) {
	var belief [len(restlessness)]float64
	for i := range belief {
		belief[i] = 1
	}
	seen, images := 0.0, turnedSeen
	repeats := turnedPrior
	entry := map[string]int{} // index of a layout or image in h.again
	l.known = make([]bool, len(l.past))
	for g, positions := range l.past {
		k, known := entry[key(positions)]
		l.known[g] = known
		sum := 0.0
		for i, rate := range restlessness {
			if belief[i] *= rate; known {
				belief[i] /= rate
			}
			belief[i] /= rate + seen
			sum += belief[i]
		}
		for i := range belief {
			belief[i] /= sum
		}
		if known {
			repeats++
			if h.again[k].prior == 0 {
				images++ // never used in its current orientation
			}
		}
		for i := range h.again {
			h.again[i].prior *= habitDecay
		}
		seen = habitDecay*seen + 1
		for turn := range 8 {
			transform := l.transform(positions, turn)
			name := key(transform)
			k, old := entry[name]
			if !old {
				k = len(h.again)
				entry[name] = k
				h.again = append(h.again, repeat{positions: transform})
			}
			if turn == 0 {
				h.again[k].prior++
			}
		}
	}
	again := 0.0
	for i, rate := range restlessness {
		fresh += belief[i] * rate / (rate + seen)
		again += belief[i] / (rate + seen)
	}
	l.spread(h, entry, again, images/repeats)
	return fresh
}

// spread converts the weights of observed layouts to probabilities, and gives the images of
// each layout their share.
func (l *learner) spread(h *habits, entry map[string]int, again, turned float64) {
	weights := make([]float64, len(h.again))
	for i := range h.again {
		weights[i] = h.again[i].prior * again
		h.again[i].prior = 0
	}
	for i, w := range weights {
		if w == 0 {
			continue
		}
		h.again[i].prior += w * (1 - turned)
		for turn := range 8 {
			h.again[entry[key(l.transform(h.again[i].positions, turn))]].prior += w * turned / 8
		}
	}
}

// key returns a unique key of a layout.
func key(positions []int) string {
	name := make([]byte, 0, 2*len(positions))
	for _, n := range positions {
		name = append(name, byte(n), byte(n>>8))
	}
	return string(name)
}

// A weighting computes an account's weights of positions from earlier layouts.
type weighting func(l *learner, past [][]int) []float64

// accounts adds the accounts of new layouts.
func (l *learner) accounts(h *habits, fresh float64) {
	ideas := []struct {
		prior  float64
		weight weighting
	}{{0.55, nil}, {0.15, (*learner).bySide}, {0.15, (*learner).byCell}, {0.15, (*learner).byPosition}}
	trust := make([]float64, len(ideas))
	sum := 0.0
	for i, weighting := range ideas {
		trust[i] = weighting.prior
		if weighting.weight != nil {
			trust[i] *= math.Exp(min(500, l.foretold(weighting.weight)))
		}
		sum += trust[i]
	}
	for i, weighting := range ideas {
		if trust[i] /= sum; trust[i] < habitIgnored {
			continue
		}
		l.Weight = nil
		if weighting.weight != nil {
			l.Weight = weighting.weight(l, l.past)
		}
		l.Sample(habitDraws)
		if l.Total > 0 {
			h.fresh = append(h.fresh, account{weight: l.Weight, prior: fresh * trust[i] / l.Total})
		}
	}
	l.Weight = nil
}

// foretold returns how much better than chance an idea would have predicted the layouts, as
// the logarithm of the probability ratio. Repeats are excluded because they are modelled
// separately.
func (l *learner) foretold(weight weighting) float64 {
	sum := 0.0
	for g := 1; g < len(l.past); g++ {
		if l.known[g] {
			continue
		}
		w := weight(l, l.past[:g])
		mean := 0.0
		for i, positions := range l.sketch {
			mean += l.shares[i] * product(w, positions)
		}
		sum += math.Log(product(w, l.past[g]) / mean)
	}
	return sum
}

// product returns the weight of a layout, or 1 if w is nil.
func product(w []float64, positions []int) float64 {
	p := 1.0
	if w == nil {
		return p
	}
	for _, n := range positions {
		p *= w[n]
	}
	return p
}

const (
	sidesPrior     = 6  // observed ships have the weight of this many assumed ones
	cellsPrior     = 12 // the same for layouts, by cell
	positionsPrior = 6  // the same for layouts, by position
)

// side returns a position's relation to the edge of the board: 0 away from it, 1 touching
// it with an end, 2 along it.
func (l *learner) side(n int) int {
	size := uint16(l.Rules.Size)
	at := func(c uint16) bool { return c == 0 || c == size-1 }
	cells := l.Cells(n)
	first, last := cells[0], cells[len(cells)-1]
	across, along := [2]uint16{first / size, last / size}, [2]uint16{first % size, last % size}
	if along[0] == along[1] {
		across, along = along, across
	}
	switch {
	case at(across[0]):
		return 2
	case at(along[0]) || at(along[1]):
		return 1
	}
	return 0
}

// bySide weights positions by their relation to the edge of the board.
func (l *learner) bySide(past [][]int) []float64 {
	var seen, usual [3]float64
	for n, u := range l.usual {
		if u > 0 {
			usual[l.side(n)] += u
		}
	}
	ships := 0.0
	v := 1.0
	for i := len(past) - 1; i >= 0; i-- {
		for _, n := range past[i] {
			seen[l.side(n)] += v
			ships += v
		}
		v *= habitDecay
	}
	var ratio [3]float64
	for i, u := range usual {
		if u /= float64(len(l.Rules.Fleet)); u > 0 {
			ratio[i] = (seen[i] + sidesPrior*u) / (ships + sidesPrior) / u
		}
	}
	w := make([]float64, l.Len())
	for n := range w {
		if len(l.Cells(n)) > 0 {
			w[n] = ratio[l.side(n)]
		}
	}
	return w
}

// byCell weights positions by bySide and by the cells they cover.
func (l *learner) byCell(past [][]int) []float64 {
	usual := make([]float64, l.Rules.Size*l.Rules.Size)
	seen := slices.Clone(l.struck)
	for n, u := range l.usual {
		for _, c := range l.Cells(n) {
			usual[c] += u
		}
	}
	games, v := l.other, 1.0
	for i := len(past) - 1; i >= 0; i-- {
		for _, n := range past[i] {
			for _, c := range l.Cells(n) {
				seen[c] += v
			}
		}
		games += v
		v *= habitDecay
	}
	w := l.bySide(past)
	for n := range w {
		cells := l.Cells(n)
		sum := 0.0
		for _, c := range cells {
			if usual[c] > 0 {
				sum += (seen[c] + cellsPrior*usual[c]) / (games + cellsPrior) / usual[c]
			}
		}
		if len(cells) > 0 {
			w[n] *= sum / float64(len(cells))
		}
	}
	return w
}

// byPosition weights positions by how often they held a ship.
func (l *learner) byPosition(past [][]int) []float64 {
	w := make([]float64, l.Len())
	var fleet [match.MaxLength + 1]int
	for _, class := range l.Rules.Fleet {
		fleet[class.Length]++
	}
	games, v := 0.0, 1.0
	for i := len(past) - 1; i >= 0; i-- {
		for _, n := range past[i] {
			w[n] += v
		}
		games += v
		v *= habitDecay
	}
	for n := range w {
		if length := l.Ship(n).Length; length > 0 {
			usual := float64(fleet[length]) / float64(2*l.Rules.Size*(l.Rules.Size-length+1))
			w[n] = (w[n] + positionsPrior*usual) / (games + positionsPrior) / usual
		}
	}
	return w
}
