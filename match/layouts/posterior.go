package layouts

import (
	"math/bits"
	"math/rand/v2"

	"broadside/match"
)

// Posterior computes the probability of each position over all layouts that agree with a
// reading. Each layout counts by its weight, the product of the weights of its positions;
// without weights all layouts count equally.
//
// If there are few layouts, it enumerates them. Otherwise it draws a sample, placing one
// ship after another: first those that explain hits, then the rest, longest first, each at
// a random position among those left. A draw's weight is the reciprocal of its probability.
// The mean weight of the draws is therefore an unbiased estimate of the number of layouts,
// and weighted sums over the draws estimate everything else.
type Posterior struct {
	*reading
	rng    *rand.Rand
	Weight []float64 // by position; nil if all are 1

	// Sums over all layouts that agree, estimated or exact.
	Total  float64   // of the weights
	Chased float64   // of the weights of those in which a ship afloat has been hit
	Mass   []float64 // by position: of the weights of those with a ship there

	stack  []uint64 // the open positions at each depth
	placed []int    // positions of a draw
	steps  int      // remaining steps of the enumeration
}

func NewPosterior(w *Geometry, rng *rand.Rand) *Posterior {
	return &Posterior{
		reading: newReading(w), rng: rng,
		Mass:   make([]float64, len(w.positions)),
		stack:  make([]uint64, (len(w.Rules.Fleet)+1)*w.words),
		placed: make([]int, 0, len(w.Rules.Fleet)),
	}
}

// reset resets the sums and returns the weight factor of the laid ships.
func (p *Posterior) reset() float64 {
	p.Total, p.Chased = 0, 0
	clear(p.Mass)
	weight := 1.0
	if p.Weight != nil {
		for _, n := range p.laid {
			weight *= p.Weight[n]
		}
	}
	return weight
}

// finish adds the laid ships to the sums.
func (p *Posterior) finish() {
	for _, n := range p.laid {
		p.Mass[n] = p.Total
		if !p.IsWhole(n) {
			p.Chased = p.Total
		}
	}
}

// IsWhole reports whether all cells of a position have been hit.
func (p *Posterior) IsWhole(n int) bool { return p.whole[n/64]>>(n%64)&1 != 0 }

// Sample estimates the sums from the given number of draws.
func (p *Posterior) Sample(draws int) {
	scale := p.reset() / float64(draws)
	for range draws {
		_, w, chased := p.Draw()
		if w *= scale; w == 0 {
			continue
		}
		p.Total += w
		if chased {
			p.Chased += w
		}
		for _, n := range p.placed {
			p.Mass[n] += w
		}
	}
	p.finish()
}

// Draw draws one layout. It returns its positions, which are valid until the next draw, and its
// weight, or 0 if it failed.
func (p *Posterior) Draw() (positions []int, weight float64, chased bool) {
	avail := p.stack[:p.words]
	copy(avail, p.open)
	left := p.left
	p.placed = append(p.placed[:0], p.laid...)
	weight = 1
	var covered uint64
	for all := uint64(1)<<len(p.hits) - 1; covered != all; {
		h := bits.TrailingZeros64(^covered)
		n := p.cover(avail, &left, p.hits[h], &weight)
		if n < 0 {
			return nil, 0, false
		}
		covered |= p.covers[n]
		chased = chased || !p.IsWhole(n)
		left[p.positions[n].n]--
		p.placed = append(p.placed, n)
		without(avail, p.clash[n])
	}
	for _, length := range p.lengths {
		for ; left[length] > 0; left[length]-- {
			n := p.choose(avail, length, left[length], &weight)
			if n < 0 {
				return nil, 0, false
			}
			if p.placed = append(p.placed, n); len(p.placed) == len(p.Rules.Fleet) {
				break // the remaining positions are not needed
			}
			without(avail[p.from[length]:], p.clash[n][p.from[length]:])
		}
	}
	return p.placed, weight, chased
}

// cover chooses the position of the ship that explains a hit, or -1 if there is none.
func (p *Posterior) cover(avail []uint64, left *[match.MaxLength + 1]int, hit uint16, weight *float64) int {
	through := p.through[hit]
	var sums [match.MaxLength + 1]float64
	total := 0.0
	for _, length := range p.lengths {
		if left[length] == 0 {
			continue
		}
		n := 0.0
		for i := p.from[length]; i < p.to[length]; i++ {
			n += p.sum(avail[i]&through[i], i)
		}
		sums[length] = n * p.share[length]
		total += sums[length]
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
		if r >= sums[length] {
			r -= sums[length]
			last = length
			continue
		}
		last = length
		break
	}
	share := p.share[last]
	*weight *= total / share
	return p.pick(avail, through, last, r/share)
}

// pick returns the first position of a length in both sets at which the cumulative weight
// exceeds r, or the last position if rounding prevents that.
func (p *Posterior) pick(avail, through []uint64, length int, r float64) int {
	last := -1
	for i := p.from[length]; i < p.to[length]; i++ {
		for word := avail[i] & through[i]; word != 0; word &= word - 1 {
			last = 64*i + bits.TrailingZeros64(word)
			w := 1.0
			if p.Weight != nil {
				w = p.Weight[last]
			}
			if r < w {
				return last
			}
			r -= w
		}
	}
	return last
}

// sum returns the total weight of the positions in word i of a set.
func (p *Posterior) sum(word uint64, i int) float64 {
	if p.Weight == nil {
		return float64(bits.OnesCount64(word))
	}
	total := 0.0
	for ; word != 0; word &= word - 1 {
		total += p.Weight[64*i+bits.TrailingZeros64(word)]
	}
	return total
}

// choose places one of the remaining ships of a length anywhere; it returns -1 if it fits
// nowhere. Ships of the same length are interchangeable, so it corrects for the number of
// orders.
func (p *Posterior) choose(avail []uint64, length, ships int, weight *float64) int {
	from, to := p.from[length], p.to[length]
	if p.Weight != nil {
		total := 0.0
		for i := from; i < to; i++ {
			total += p.sum(avail[i], i)
		}
		if total == 0 {
			return -1
		}
		*weight *= total / float64(ships)
		return p.pick(avail, avail, length, p.rng.Float64()*total)
	}
	n := 0
	for _, word := range avail[from:to] {
		n += bits.OnesCount64(word)
	}
	if n == 0 {
		return -1
	}
	*weight *= float64(n) / float64(ships)
	high, _ := bits.Mul64(p.rng.Uint64(), uint64(n))
	k := int(high)
	for i := from; ; i++ {
		if c := bits.OnesCount64(avail[i]); k >= c {
			k -= c
			continue
		}
		return 64*i + nth(avail[i], k)
	}
}

// Spread sets cells to the probability of a ship in each cell, given the weight sums by
// position and in total.
func (p *Posterior) Spread(cells, mass []float64, total float64) {
	clear(cells)
	for n, m := range mass {
		if m == 0 {
			continue
		}
		s := &p.positions[n]
		for _, c := range s.cells[:s.n] {
			cells[c] += m / total
		}
	}
}
