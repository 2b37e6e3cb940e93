package layouts

import (
	"math/bits"

	"broadside/match"
)

// Enumerate computes the sums exactly by enumerating all layouts. It gives up and returns
// false after the given number of steps. A step is a complete or partial layout, or more on
// a large board.
func (p *Posterior) Enumerate(steps int) bool {
	weight := p.reset()
	p.steps = steps
	copy(p.stack, p.open)
	left := p.left
	p.Total = p.explain(0, &left, p.ships, 0, weight, false)
	if p.steps < 0 {
		return false
	}
	p.finish()
	return true
}

// below returns the buffers for the positions open to one ship and to the next.
func (p *Posterior) below(depth int) (avail, next []uint64) {
	at := depth * p.words
	return p.stack[at : at+p.words], p.stack[at+p.words : at+2*p.words]
}

// explain enumerates the ways to explain the hits not covered yet and, for each, the ways
// to place the remaining ships. It returns the sum of the layouts' weights, each multiplied
// by weight. Each layout occurs once, since only one ship can explain a hit.
func (p *Posterior) explain(depth int, left *[match.MaxLength + 1]int, ships int, covered uint64, weight float64, chased bool) float64 {
	if covered == uint64(1)<<len(p.hits)-1 {
		sum := p.scatter(depth, left, ships, weight)
		if chased {
			p.Chased += sum
		}
		return sum
	}
	if ships == 0 {
		return 0
	}
	avail, next := p.below(depth)
	through := p.through[p.hits[bits.TrailingZeros64(^covered)]]
	total := 0.0
	for _, length := range p.lengths {
		if left[length] == 0 {
			continue
		}
		for i := p.from[length]; i < p.to[length]; i++ {
			for word := avail[i] & through[i]; word != 0; word &= word - 1 {
				if p.steps -= 1 + p.words/16; p.steps < 0 {
					return 0
				}
				n := 64*i + bits.TrailingZeros64(word)
				for k, c := range p.clash[n] {
					next[k] = avail[k] &^ c
				}
				w := weight
				if p.Weight != nil {
					w *= p.Weight[n]
				}
				left[length]--
				sum := p.explain(depth+1, left, ships-1, covered|p.covers[n], w, chased || !p.IsWhole(n))
				left[length]++
				p.Mass[n] += sum
				total += sum
			}
		}
	}
	return total
}

// scatter enumerates the ways to place the unhit ships.
func (p *Posterior) scatter(depth int, left *[match.MaxLength + 1]int, ships int, weight float64) float64 {
	if ships == 0 {
		return weight
	}
	avail, next := p.below(depth)
	length := 0
	for _, l := range p.lengths {
		if left[l] > 0 {
			length = l
			break
		}
	}
	if ships == 1 {
		return p.last(avail, length, weight)
	}
	total := 0.0
	left[length]--
	for i := p.from[length]; i < p.to[length]; i++ {
		for word := avail[i]; word != 0; word &= word - 1 {
			if p.steps -= 1 + p.words/16; p.steps < 0 {
				break
			}
			n := 64*i + bits.TrailingZeros64(word)
			clash := p.clash[n]
			for k := i; k < len(next); k++ {
				next[k] = avail[k] &^ clash[k]
			}
			if left[length] > 0 {
				// Ships of the same length are interchangeable. Positions in ascending
				// order make each layout occur only once.
				for k := p.from[length]; k < i; k++ {
					next[k] = 0
				}
				next[i] &^= uint64(1)<<(n%64)<<1 - 1
			}
			w := weight
			if p.Weight != nil {
				w *= p.Weight[n]
			}
			sum := p.scatter(depth+1, left, ships-1, w)
			p.Mass[n] += sum
			total += sum
		}
	}
	left[length]++
	return total
}

// last enumerates the positions of the last ship.
func (p *Posterior) last(avail []uint64, length int, weight float64) float64 {
	total := 0.0
	for i := p.from[length]; i < p.to[length]; i++ {
		word := avail[i]
		p.steps -= bits.OnesCount64(word)
		for ; word != 0; word &= word - 1 {
			n := 64*i + bits.TrailingZeros64(word)
			w := weight
			if p.Weight != nil {
				w *= p.Weight[n]
			}
			p.Mass[n] += w
			total += w
		}
	}
	return total
}
