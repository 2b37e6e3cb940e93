package infer

import (
	"math/bits"
	"math/rand/v2"

	"broadside/match"
)

// posterior computes the probability of each position over all layouts that agree with a
// reading. Each layout counts by its weight, the product of the weights of its positions;
// without weights all layouts count equally.
//
// If there are few layouts, it enumerates them. Otherwise it draws a sample, placing one
// ship after another: first those that explain hits, then the rest, longest first, each at
// a random position among those left. A draw's weight is the reciprocal of its probability.
// The mean weight of the draws is therefore an unbiased estimate of the number of layouts,
// and weighted sums over the draws estimate everything else.
type posterior struct {
	*reading
	dice   SplitMix
	weight []float64 // by position; nil if all are 1

	// Sums over all layouts that agree, estimated or exact.
	total  float64   // of the weights
	chased float64   // of the weights of those in which a ship afloat has been hit
	mass   []float64 // by position: of the weights of those with a ship there

	stack  []uint64 // the open positions at each depth
	placed []int    // positions of a draw
	steps  int      // remaining steps of the enumeration
}

func newPosterior(w *geometry, rng *rand.Rand) *posterior {
	return &posterior{
		reading: newReading(w), dice: SplitMix(rng.Uint64()),
		mass:   make([]float64, len(w.positions)),
		stack:  make([]uint64, (len(w.rules.Fleet)+1)*w.words),
		placed: make([]int, 0, len(w.rules.Fleet)),
	}
}

// reset resets the sums and returns the weight factor of the laid ships.
func (p *posterior) reset() float64 {
	p.total, p.chased = 0, 0
	clear(p.mass)
	return product(p.weight, p.laid)
}

// finish adds the laid ships to the sums.
func (p *posterior) finish() {
	for _, n := range p.laid {
		p.mass[n] = p.total
		if !p.isWhole(n) {
			p.chased = p.total
		}
	}
}

func (p *posterior) isWhole(n int) bool { return p.whole[n/64]>>(n%64)&1 != 0 }

// sample estimates the sums from the given number of draws.
func (p *posterior) sample(draws int) {
	scale := p.reset() / float64(draws)
	for range draws {
		w, chased := p.draw()
		if w *= scale; w == 0 {
			continue
		}
		p.total += w
		if chased {
			p.chased += w
		}
		for _, n := range p.placed {
			p.mass[n] += w
		}
	}
	p.finish()
}

// draw draws one layout and returns its weight, or 0 if it failed.
func (p *posterior) draw() (weight float64, chased bool) {
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
			return 0, false
		}
		covered |= p.covers[n]
		chased = chased || !p.isWhole(n)
		left[p.positions[n].n]--
		p.placed = append(p.placed, n)
		without(avail, p.clash[n])
	}
	for _, length := range p.lengths {
		for ; left[length] > 0; left[length]-- {
			n := p.choose(avail, length, left[length], &weight)
			if n < 0 {
				return 0, false
			}
			if p.placed = append(p.placed, n); len(p.placed) == len(p.rules.Fleet) {
				break // the remaining positions are not needed
			}
			without(avail[p.from[length]:], p.clash[n][p.from[length]:])
		}
	}
	return weight, chased
}

// cover chooses the position of the ship that explains a hit, or -1 if there is none.
func (p *posterior) cover(avail []uint64, left *[match.MaxLength + 1]int, hit uint16, weight *float64) int {
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
	r := p.dice.Float64() * total
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
func (p *posterior) pick(avail, through []uint64, length int, r float64) int {
	last := -1
	for i := p.from[length]; i < p.to[length]; i++ {
		for word := avail[i] & through[i]; word != 0; word &= word - 1 {
			last = 64*i + bits.TrailingZeros64(word)
			w := 1.0
			if p.weight != nil {
				w = p.weight[last]
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
func (p *posterior) sum(word uint64, i int) float64 {
	if p.weight == nil {
		return float64(bits.OnesCount64(word))
	}
	total := 0.0
	for ; word != 0; word &= word - 1 {
		total += p.weight[64*i+bits.TrailingZeros64(word)]
	}
	return total
}

// choose places one of the remaining ships of a length anywhere; it returns -1 if it fits
// nowhere. Ships of the same length are interchangeable, so it corrects for the number of
// orders.
func (p *posterior) choose(avail []uint64, length, ships int, weight *float64) int {
	from, to := p.from[length], p.to[length]
	if p.weight != nil {
		total := 0.0
		for i := from; i < to; i++ {
			total += p.sum(avail[i], i)
		}
		if total == 0 {
			return -1
		}
		*weight *= total / float64(ships)
		return p.pick(avail, avail, length, p.dice.Float64()*total)
	}
	n := 0
	for _, word := range avail[from:to] {
		n += bits.OnesCount64(word)
	}
	if n == 0 {
		return -1
	}
	*weight *= float64(n) / float64(ships)
	high, _ := bits.Mul64(p.dice.Uint64(), uint64(n))
	k := int(high)
	for i := from; ; i++ {
		if c := bits.OnesCount64(avail[i]); k >= c {
			k -= c
			continue
		}
		return 64*i + nth(avail[i], k)
	}
}

// spread sets cells to the probability of a ship in each cell, given the weight sums by
// position and in total.
func (p *posterior) spread(cells, mass []float64, total float64) {
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
