package bots

import (
	"math"
	"slices"

	"broadside/match"
)

const (
	// resistDraws is how many layouts the chosen one is chosen from.
	resistDraws = 64
	// resistTries bounds the draws, for fleets that hardly fit on their board.
	resistTries = 20 * resistDraws
	// resistRare is how much layouts on rarely used cells are preferred
	// against someone unknown, and resistLate how much those on cells that the
	// opponent shoots at late. More would be a habit that can be learned.
	resistRare, resistLate = 6, 5
	// resistGames is how many games must have been seen for the opponent's
	// order of shooting to count half.
	resistGames = 4
)

// placeResist makes a strong opponent need many shots. Those who know nothing
// of us shoot first where ships lie most often: against them the fleet goes to
// the edges, or to cells that few layouts use. Such fleets are soon seen
// through. So from the second game on it goes anywhere, but rather to cells
// that this opponent has come to late.
func placeResist(c Config) match.Layout {
	known := c.Memory != nil && c.Memory.Games > 0
	if !known && c.Rand.IntN(2) == 0 {
		return placeEdges(c)
	}
	p := newPosterior(newWaters(c.Rules), c.Rand)
	p.read(newAnswers(c.Rules))
	var liked []float64
	if known {
		liked = lateness(c.Memory, resistLate)
	} else {
		liked = p.rareness(resistRare)
	}
	if stations := p.drawLiked(liked); stations != nil {
		return p.layout(stations)
	}
	return placeUniform(c)
}

// rareness likes the cells that layouts use less often than others.
func (p *posterior) rareness(strength float64) []float64 {
	p.sample(habitDraws)
	liked := make([]float64, len(p.through))
	for n, mass := range p.mass {
		s := &p.stations[n]
		for _, c := range s.cells[:s.n] {
			liked[c] += mass / p.total
		}
	}
	usual := float64(p.rules.FleetCells()) / float64(len(liked))
	for c, v := range liked {
		liked[c] = strength * (1 - v/usual)
	}
	return liked
}

// lateness likes the cells that an opponent shot at late or not at all.
func lateness(m *Memory, strength float64) []float64 {
	cells := len(m.Shots)
	games, shots := float64(m.Games), 0
	for _, n := range m.Shots {
		shots += n
	}
	// A shot that did not come in a game would have come after its end.
	never := (float64(shots)/games + float64(cells)) / 2
	turn := make([]float64, cells)
	mean := 0.0
	for c := range turn {
		turn[c] = (float64(m.Turns[c]) + (games-float64(m.Shots[c]))*never) / games
		mean += turn[c] / float64(cells)
	}
	for c, v := range turn {
		turn[c] = strength * (v/mean - 1) * games / (games + resistGames)
	}
	return turn
}

// drawLiked draws a layout, with a probability that grows exponentially with
// the sum of what its cells are liked. It is nil if no layout was found.
func (p *posterior) drawLiked(liked []float64) []int {
	var best []int
	total, found := 0.0, 0
	for try := 0; try < resistTries && found < resistDraws; try++ {
		weight, _ := p.draw()
		if weight == 0 {
			continue
		}
		found++
		like := 0.0
		for _, n := range p.placed {
			s := &p.stations[n]
			for _, c := range s.cells[:s.n] {
				like += liked[c]
			}
		}
		weight *= math.Exp(like)
		total += weight
		if p.dice.float()*total < weight {
			best = append(best[:0], p.placed...)
		}
	}
	return best
}

// layout is the ships at some stations, one for each of the fleet.
func (w *waters) layout(stations []int) match.Layout {
	var l match.Layout
	slices.Sort(stations) // the longest first, as in the fleet
	for _, n := range stations {
		l = append(l, w.stations[n].ship)
	}
	return l
}
