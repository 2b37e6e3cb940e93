package layouts

import "math/bits"

// EnumerateSums computes the sums exactly by enumerating all layouts. It gives up and returns
// false after the given number of steps. A step is a complete or partial layout, or more on
// a large board.
func (p *Posterior) EnumerateSums(steps int) bool {
	weight := p.reset()
	p.steps = steps
	copy(p.stack, p.open)
	p.rest = p.left
	p.drawn = append(p.drawn[:0], p.certain...)
	if p.ships == 0 {
		p.Total, p.found = weight, true
	} else {
		p.Total = p.enumerateFrom(0, 0, weight, false)
	}
	if p.steps < 0 {
		return false
	}
	p.addCertainShips()
	return true
}

// enumerateFrom enumerates the ways to place the remaining ships. It starts with those that explain a hit
// not covered yet. The others follow, longest first. It returns the sum of the layouts' weights, each
// multiplied by weight.
func (p *Posterior) enumerateFrom(depth int, covered uint64, weight float64, wounded bool) float64 {
	avail := p.stack[depth*p.words : (depth+1)*p.words]
	through := p.all
	explains := covered != p.allHits()
	if explains {
		if bits.OnesCount64(p.allHits()&^covered) > p.maxCovered*(p.ships-depth) {
			return 0
		}
		through = p.through[p.hits[bits.TrailingZeros64(^covered)]]
	}
	total := 0.0
	for _, length := range p.lengths {
		if p.rest[length] == 0 {
			continue
		}
		p.rest[length]--
		for i := p.from[length]; i < p.to[length]; i++ {
			for word := avail[i] & through[i]; word != 0; word &= word - 1 {
				p.steps -= 1 + p.words/16
				if p.steps < 0 {
					return 0
				}
				n := 64*i + bits.TrailingZeros64(word)
				p.drawn = append(p.drawn[:len(p.certain)+depth], n)
				covers, w := covered|p.covers[n], weight*p.weightAt(n)
				wounds := wounded || explains && !p.IsFullyHit(n)
				switch {
				case depth+1 < p.ships:
					p.updateOpen(depth, n, explains)
					w = p.enumerateFrom(depth+1, covers, w, wounds)
				case covers != p.allHits():
					w = 0
				case p.stopAtFirst:
					p.found, p.steps = true, -1
					return 0
				case wounds:
					p.Wounded += w
				}
				p.Mass[n] += w
				total += w
			}
		}
		p.rest[length]++
		if !explains {
			break
		}
	}
	return total
}

// updateOpen computes the positions open after a ship is placed. Ships of the same length are
// interchangeable. Those that explain no hit get ascending positions, so that each layout occurs
// once. Those that explain a hit need no order, because each hit has only one ship.
func (p *Posterior) updateOpen(depth, n int, explains bool) {
	avail, next := p.stack[depth*p.words:(depth+1)*p.words], p.stack[(depth+1)*p.words:(depth+2)*p.words]
	clash := p.clash[n]
	if explains {
		for k := range next {
			next[k] = avail[k] &^ clash[k]
		}
		return
	}
	i := n / 64
	clear(next[p.from[p.positions[n].n]:i])
	for k := i; k < len(next); k++ {
		next[k] = avail[k] &^ clash[k]
	}
	next[i] &^= uint64(1)<<(n%64)<<1 - 1
}
