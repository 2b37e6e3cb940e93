package layouts

import (
	"math"
	"math/bits"
	"math/rand/v2"

	"broadside/match"
)

// Posterior computes the probability of each position over all layouts that agree with a
// log. Each layout counts by its weight, which is the product of its positions' weights.
// Without weights all layouts count equally.
//
// If there are few layouts, it enumerates them. Otherwise it draws a sample. It places one
// ship after another at a random position among those left, first the ships that explain
// hits, then the rest, longest first. A draw's weight is its probability's reciprocal.
// The mean weight of the draws is therefore an unbiased estimate of the number of layouts,
// and weighted sums over the draws estimate everything else.
type Posterior struct {
	*reading
	rng *rand.Rand
	// Weight has the weights by position. It is nil if all weights are 1.
	Weight []float64

	// These are exact or estimated sums of weights over the layouts that agree.
	// Total is the sum over all layouts.
	Total float64
	// Wounded is the sum over layouts in which a ship afloat has been hit.
	Wounded float64
	// Mass has, by position, the sum over layouts with a ship there.
	Mass []float64

	// stack has the open positions at each depth.
	stack []uint64
	// rest counts the ships not placed yet, by length.
	rest [match.MaxLength + 1]int
	// drawn has the positions of the layout being drawn or enumerated.
	drawn []int
	// steps is the number of steps left for the enumeration.
	steps int
	// stopAtFirst reports whether the enumeration ends at the first layout.
	stopAtFirst bool
	// found reports whether the enumeration has found a layout.
	found bool
}

// NewPosterior returns a Posterior. Call [Posterior.ReadLog] before all other methods.
func NewPosterior(g *Geometry, rng *rand.Rand) *Posterior {
	return &Posterior{
		reading: newReading(g), rng: rng,
		stack: make([]uint64, (len(g.Rules.Fleet)+1)*g.words),
		drawn: make([]int, 0, len(g.Rules.Fleet)),
	}
}

// pilotDraws is the number of draws used to estimate whether all layouts can be enumerated.
const pilotDraws = 50

// ComputeSums computes the sums. It does so exactly if that takes little longer than the given number
// of draws on a board of 10×10, and otherwise from these draws. Larger boards get fewer draws.
func (p *Posterior) ComputeSums(draws int) {
	// usual is the number of words in a set of positions on a board of 10×10.
	const usual = 16
	draws = draws * usual / max(usual, p.words)
	most := 64 * draws
	p.SampleSums(pilotDraws)
	if p.Total > float64(most) || !p.EnumerateSums(4*most) {
		p.SampleSums(draws)
	}
}

// FindLayout returns the positions of a layout that agrees with the log, in any order, or nil if it
// found none in some draws and steps of an enumeration. Then certain tells whether there is none.
func (p *Posterior) FindLayout(draws, steps int) (positions []int, certain bool) {
	for range draws {
		positions, weight, _ := p.DrawLayout()
		if weight > 0 {
			return positions, true
		}
	}
	p.stopAtFirst, p.found = true, false
	certain = p.EnumerateSums(steps)
	p.stopAtFirst = false
	if p.found {
		return p.drawn, true
	}
	return nil, certain
}

// reset resets the sums and returns the weight factor of the certain ships.
func (p *Posterior) reset() float64 {
	p.Total, p.Wounded = 0, 0
	if p.Mass == nil {
		p.Mass = make([]float64, len(p.positions))
	}
	clear(p.Mass)
	weight := 1.0
	for _, n := range p.certain {
		weight *= p.weightAt(n)
	}
	return weight
}

// addCertainShips adds the certain ships to the sums.
func (p *Posterior) addCertainShips() {
	for _, n := range p.certain {
		p.Mass[n] = p.Total
		if !p.IsFullyHit(n) {
			p.Wounded = p.Total
		}
	}
}

// IsFullyHit reports whether all cells of a position have been hit.
func (p *Posterior) IsFullyHit(n int) bool { return p.whole[n/64]>>(n%64)&1 != 0 }

func (p *Posterior) weightAt(n int) float64 {
	if p.Weight == nil {
		return 1
	}
	return p.Weight[n]
}

// SampleSums estimates the sums from the given number of draws.
func (p *Posterior) SampleSums(draws int) {
	scale := p.reset() / float64(draws)
	for range draws {
		positions, w, wounded := p.DrawLayout()
		w *= scale
		if w == 0 {
			continue
		}
		p.Total += w
		if wounded {
			p.Wounded += w
		}
		for _, n := range positions {
			p.Mass[n] += w
		}
	}
	p.addCertainShips()
}

// DrawLayout draws one layout. It returns its positions, which are valid until the next draw, and
// its weight, or 0 if it failed.
func (p *Posterior) DrawLayout() (positions []int, weight float64, wounded bool) {
	avail := p.stack[:p.words]
	copy(avail, p.open)
	p.rest = p.left
	p.drawn = append(p.drawn[:0], p.certain...)
	weight = 1
	var covered uint64
	for all := p.allHits(); covered != all; {
		h := bits.TrailingZeros64(^covered)
		n := p.coverHit(avail, p.hits[h], &weight)
		if n < 0 {
			return nil, 0, false
		}
		covered |= p.covers[n]
		wounded = wounded || !p.IsFullyHit(n)
		p.rest[p.positions[n].n]--
		p.drawn = append(p.drawn, n)
		removePositions(avail, p.clash[n])
	}
	for _, length := range p.lengths {
		for ; p.rest[length] > 0; p.rest[length]-- {
			n := p.placeAnywhere(avail, length, &weight)
			if n < 0 {
				return nil, 0, false
			}
			p.drawn = append(p.drawn, n)
			if len(p.drawn) == len(p.Rules.Fleet) {
				// The remaining positions are not needed.
				break
			}
			removePositions(avail[p.from[length]:], p.clash[n][p.from[length]:])
		}
	}
	return p.drawn, weight, wounded
}

// coverHit chooses the position of the ship that explains a hit, or -1 if there is none.
func (p *Posterior) coverHit(avail []uint64, hit uint16, weight *float64) int {
	through := p.through[hit]
	var sums [match.MaxLength + 1]float64
	total := 0.0
	for _, length := range p.lengths {
		if p.rest[length] > 0 {
			sums[length] = p.sumWeights(avail, through, length) * p.share[length]
			total += sums[length]
		}
	}
	if total == 0 {
		return -1
	}
	r := p.rng.Float64() * total
	last := -1
	for _, length := range p.lengths {
		if sums[length] == 0 {
			continue
		}
		last = length
		if r < sums[length] {
			break
		}
		r -= sums[length]
	}
	share := p.share[last]
	*weight *= total / share
	return p.pickPosition(avail, through, last, r/share)
}

// placeAnywhere places one of the remaining ships of a length anywhere. It returns -1 if it fits
// nowhere. Ships of the same length are interchangeable, so it corrects for the number of
// orders.
func (p *Posterior) placeAnywhere(avail []uint64, length int, weight *float64) int {
	total := p.sumWeights(avail, p.all, length)
	if total == 0 {
		return -1
	}
	*weight *= total / float64(p.rest[length])
	return p.pickPosition(avail, p.all, length, p.rng.Float64()*total)
}

// sumWeights returns the total weight of the positions of a length in both sets.
func (p *Posterior) sumWeights(avail, through []uint64, length int) float64 {
	total := 0.0
	for i := p.from[length]; i < p.to[length]; i++ {
		total += p.sumWordWeights(avail[i]&through[i], i)
	}
	return total
}

// sumWordWeights returns the total weight of the positions in word i of a set.
func (p *Posterior) sumWordWeights(word uint64, i int) float64 {
	if p.Weight == nil {
		return float64(bits.OnesCount64(word))
	}
	total := 0.0
	for ; word != 0; word &= word - 1 {
		total += p.Weight[64*i+bits.TrailingZeros64(word)]
	}
	return total
}

// pickPosition returns the first position of a length in both sets at which the cumulative weight
// exceeds r, or the last position if rounding prevents that.
func (p *Posterior) pickPosition(avail, through []uint64, length int, r float64) int {
	last := -1
	for i := p.from[length]; i < p.to[length]; i++ {
		word := avail[i] & through[i]
		sum := p.sumWordWeights(word, i)
		if r >= sum && word != 0 {
			r -= sum
			last = 64*i + bits.Len64(word) - 1
			continue
		}
		for ; word != 0; word &= word - 1 {
			last = 64*i + bits.TrailingZeros64(word)
			w := p.weightAt(last)
			if r < w {
				return last
			}
			r -= w
		}
	}
	return last
}

// CellOdds returns the probability of a ship in each cell, row by row, given the sum of weights for
// each position and in total.
func (g *Geometry) CellOdds(mass []float64, total float64) []float64 {
	cells := make([]float64, len(g.through))
	for n, m := range mass {
		if m == 0 {
			continue
		}
		for _, c := range g.Cells(n) {
			cells[c] += m / total
		}
	}
	return cells
}

const (
	// preferDraws is the number of layouts from which a preferred one is chosen.
	preferDraws = 64
	// preferTries limits the draws for fleets that barely fit on their board.
	preferTries = 20 * preferDraws
)

// DrawPreferred draws a layout with a probability that grows exponentially with the sum of the
// preferences for its cells. It returns false if it found no layout.
func (p *Posterior) DrawPreferred(preferences []float64) (match.Layout, bool) {
	var best []int
	total, found := 0.0, 0
	for try := 0; try < preferTries && found < preferDraws; try++ {
		positions, weight, _ := p.DrawLayout()
		if weight == 0 {
			continue
		}
		found++
		sum := 0.0
		for _, n := range positions {
			for _, c := range p.Cells(n) {
				sum += preferences[c]
			}
		}
		weight *= math.Exp(sum)
		total += weight
		if p.rng.Float64()*total < weight {
			best = append(best[:0], positions...)
		}
	}
	if best == nil {
		return nil, false
	}
	return p.Layout(best), true
}
