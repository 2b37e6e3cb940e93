package infer

import (
	"fmt"
	"slices"

	"broadside/match"
	"broadside/match/layouts"
)

// habits predicts an opponent's next layout before the first shot. The layout either
// repeats an earlier one, possibly rotated or mirrored, or is new. New layouts prefer cells
// that this opponent uses more often than others do.
type habits struct {
	repeats []repeatedLayout
	// newShare is a new layout's probability, divided by the sum of all weights.
	newShare float64
	// weights has, by position, the weight in new layouts. It is nil if all are equal.
	weights []float64
}

// repeatedLayout is a layout that may be used again.
type repeatedLayout struct {
	positions []int
	// used is the number of games with this layout.
	used float64
	// images is eight times the number of games with this layout, rotated or mirrored in any way.
	images float64
	// prior is the layout's probability.
	prior float64
}

const (
	// habitDraws is the size of the samples used to estimate total weights.
	habitDraws = 1000
	// Before the first game, againSeen of againPrior new games are assumed to have repeated an
	// earlier layout, and turnedSeen of turnedPrior repeats to have rotated or mirrored it.
	againSeen, againPrior   = 0.3, 1.3
	turnedSeen, turnedPrior = 0.2, 1.0
	// tiltPrior is the number of assumed games without a preference.
	tiltPrior = 1
	// tiltNoise is the deviation of a cell that is no evidence, as a multiple of the number of times
	// it is expected to be used. Layouts drawn at random have 0.8.
	tiltNoise = 1.1
	// meanNoise is the same for the mean of a cell and its images.
	meanNoise = 1.5
	// images is the number of ways to rotate and mirror a board.
	images = 8
)

// newHabits derives habits from a memory. It uses the buffers and random numbers of p.
func newHabits(p *layouts.Posterior, m *Memory) *habits {
	h := &habits{newShare: 1}
	if m == nil || len(m.Layouts) == 0 {
		return h
	}
	p.Weight = nil
	p.ReadLog(layouts.NewLog(p.Rules))
	p.SampleSums(habitDraws)
	if p.Total == 0 {
		// The fleet barely fits on its board, and no draw succeeded.
		return h
	}
	p.Weight = weighPositions(p, m.Layouts)
	p.SampleSums(habitDraws)
	if p.Total > 0 {
		h.weights, h.newShare = p.Weight, (1-h.addRepeats(p.Geometry, m.Layouts))/p.Total
	}
	return h
}

// addRepeats adds the layouts that may be repeated, and returns the probability that one is.
func (h *habits) addRepeats(g *layouts.Geometry, past []match.Layout) (again float64) {
	index := map[string]int{}
	find := func(l match.Layout, turn int) *repeatedLayout {
		var positions []int
		for _, ship := range l {
			positions = append(positions, g.Find(turnShip(g.Rules.Size, ship, turn)))
		}
		slices.Sort(positions)
		key := fmt.Sprint(positions)
		i, ok := index[key]
		if !ok {
			i = len(h.repeats)
			index[key] = i
			h.repeats = append(h.repeats, repeatedLayout{positions: positions})
		}
		return &h.repeats[i]
	}
	repeats, turned := 0.0, 0.0
	for _, l := range past {
		r := find(l, 0)
		if r.images > 0 {
			repeats++
			if r.used == 0 {
				turned++
			}
		}
		r.used++
		for turn := range images {
			find(l, turn).images++
		}
	}
	games := float64(len(past))
	again = (repeats + againSeen) / (games - 1 + againPrior)
	turned = (turned + turnedSeen) / (repeats + turnedPrior)
	for i := range h.repeats {
		r := &h.repeats[i]
		r.prior = again * ((1-turned)*r.used + turned*r.images/images) / games
	}
	return again
}

// turnShip rotates a ship by quarter turns, with the board. If turn is at least 4, it mirrors
// the board first.
func turnShip(size int, s match.Ship, turn int) match.Ship {
	a, b := turnCell(size, s.Stern, turn), turnCell(size, s.Bow(), turn)
	s.Stern, s.Heading = match.Cell{X: min(a.X, b.X), Y: min(a.Y, b.Y)}, match.East
	if a.X == b.X {
		s.Heading = match.South
	}
	return s
}

func turnCell(size int, c match.Cell, turn int) match.Cell {
	last := int8(size - 1)
	if turn >= 4 {
		c.X = last - c.X
	}
	for range turn % 4 {
		c.X, c.Y = last-c.Y, c.X
	}
	return c
}

// weighPositions returns weights for the positions in new layouts: the mean over a position's cells
// of how much more often than usual this opponent uses the cell. p holds a sample of all layouts.
func weighPositions(p *layouts.Posterior, past []match.Layout) []float64 {
	games := float64(len(past))
	seen := make([]float64, p.Rules.Size*p.Rules.Size)
	for _, l := range past {
		for c := range l.Cells().All() {
			seen[int(c.Y)*p.Rules.Size+int(c.X)]++
		}
	}
	usual := meanOfImages(p.Rules, p.CellOdds(p.Mass, p.Total))
	// Preferences such as for the edges show first in the mean of a cell and its images. A cell
	// differs from them as far as the cells differ more than by chance.
	expected := meanOfImages(p.Rules, seen)
	// These are sums for the means.
	cells, deviation := 0.0, 0.0
	for c, u := range usual {
		if u > 0 {
			deviation += (expected[c] - games*u) * (expected[c] - games*u) / (games * u)
			cells++
		}
	}
	shared := max(0, 1-meanNoise*cells/images/deviation)
	// From here, deviation is that of the cells from the means.
	deviation = 0
	for c, u := range usual {
		if u > 0 {
			expected[c] = (games*u + shared*(expected[c]-games*u) + tiltPrior*u) * games / (games + tiltPrior)
			deviation += (seen[c] - expected[c]) * (seen[c] - expected[c]) / expected[c]
		}
	}
	trust := max(0, 1-tiltNoise*cells/deviation)
	weights := make([]float64, p.Len())
	for n := range weights {
		covered := p.Cells(n)
		for _, c := range covered {
			if usual[c] > 0 {
				used := expected[c] + trust*(seen[c]-expected[c])
				weights[n] += used / (games * usual[c]) / float64(len(covered))
			}
		}
	}
	return weights
}

// meanOfImages returns, for each cell, the mean value of it and its images on the rotated and
// mirrored board.
func meanOfImages(r match.Rules, values []float64) []float64 {
	means := make([]float64, len(values))
	for c := range r.Cells().All() {
		for turn := range images {
			image := turnCell(r.Size, c, turn)
			means[int(c.Y)*r.Size+int(c.X)] += values[int(image.Y)*r.Size+int(image.X)] / images
		}
	}
	return means
}
