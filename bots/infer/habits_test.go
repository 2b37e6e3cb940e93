package infer

import (
	"math/rand/v2"
	"testing"

	"broadside/match"
	"broadside/match/layouts"
)

// TestImages checks the cells of a turned layout against an independent way to turn cells.
func TestImages(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, rules := range []match.Rules{match.Classic(), fleetOf(13, match.TouchNone, 5, 4, 3, 3, 2)} {
		last := rules.Size - 1
		for range 20 {
			layout := rules.RandomLayout(rng)
			for turn := range images {
				var got match.Layout
				for _, ship := range layout {
					got = append(got, turnShip(rules.Size, ship, turn))
				}
				var want match.Set
				for c := range layout.Cells().All() {
					x, y := int(c.X), int(c.Y)
					if turn >= 4 {
						x = last - x
					}
					want.Add([...]match.Cell{
						match.NewCell(x, y), match.NewCell(last-y, x), match.NewCell(last-x, last-y), match.NewCell(y, last-x),
					}[turn%4])
				}
				if rules.CheckLayout(got) != nil || got.Cells() != want {
					t.Fatalf("%v turned by %d: got %v", layout, turn, got)
				}
			}
		}
	}
}

// drawLayout returns a layout: uniform, or with a preference for the edges of the board.
func drawLayout(rules match.Rules, edges bool, rng *rand.Rand) match.Layout {
	preferences := make([]float64, rules.Size*rules.Size)
	for i := range preferences {
		x, y, last := i%rules.Size, i/rules.Size, rules.Size-1
		if edges && (x%last == 0 || y%last == 0) {
			preferences[i] = 3
		}
	}
	p := layouts.NewPosterior(layouts.NewGeometry(rules), rng)
	p.ReadLog(layouts.NewLog(rules))
	layout, _ := p.DrawPreferred(preferences)
	return layout
}

// TestHabitProbabilities checks the computed probabilities after some games.
func TestHabitProbabilities(t *testing.T) {
	rules := match.Classic()
	rng := rand.New(rand.NewPCG(3, 4))
	one := rules.RandomLayout(rng)
	for _, c := range []struct {
		about string
		place func() match.Layout
		games int
		// minAgain and maxAgain limit a repeat's probability.
		minAgain, maxAgain float64
		// minEdge and maxEdge limit the weight of a ship along the edge, relative to one in the centre.
		minEdge, maxEdge float64
	}{
		{"uniform", func() match.Layout { return drawLayout(rules, false, rng) }, 12, 0, 0.1, 0.6, 1.6},
		{"uniform", func() match.Layout { return drawLayout(rules, false, rng) }, 40, 0, 0.05, 0.7, 1.4},
		{"edges", func() match.Layout { return drawLayout(rules, true, rng) }, 8, 0, 0.1, 2, 10},
		{"one layout", func() match.Layout { return one }, 1, 0.1, 0.5, 0, 100},
		{"one layout", func() match.Layout { return one }, 10, 0.8, 1, 0, 100},
	} {
		m := NewMemory(rules)
		for range c.games {
			m.Learn(Game{Fleet: c.place()})
		}
		p := layouts.NewPosterior(layouts.NewGeometry(rules), rng)
		h := newHabits(p, m)
		again := 0.0
		for _, r := range h.repeats {
			again += r.prior
		}
		p.Weight = h.weights
		p.ReadLog(layouts.NewLog(rules))
		p.SampleSums(2000)
		if sum := h.newShare*p.Total + again; sum < 0.9 || sum > 1.1 {
			t.Errorf("%s, %d games: the probabilities add up to %.2f", c.about, c.games, sum)
		}
		if again < c.minAgain || again > c.maxAgain {
			t.Errorf("%s, %d games: got probability %.2f of a repeat, want %v to %v",
				c.about, c.games, again, c.minAgain, c.maxAgain)
		}
		// The mean of some positions evens out the layouts that happened to be drawn.
		edge, centre := 0.0, 0.0
		for i := range 6 {
			edge += h.weights[p.Find(match.Ship{Stern: match.NewCell(i, 0), Heading: match.East, Length: 4})]
			edge += h.weights[p.Find(match.Ship{Stern: match.NewCell(9, i), Heading: match.South, Length: 4})]
			centre += h.weights[p.Find(match.Ship{Stern: match.NewCell(3, 2+i), Heading: match.East, Length: 4})]
			centre += h.weights[p.Find(match.Ship{Stern: match.NewCell(2+i, 3), Heading: match.South, Length: 4})]
		}
		if got := edge / centre; got < c.minEdge || got > c.maxEdge {
			t.Errorf("%s, %d games: got weight %.2f along the edges, want %v to %v", c.about, c.games, got, c.minEdge, c.maxEdge)
		}
	}
}

// TestHabitsWhereNothingCanBeDrawn uses a fleet that fills its board, so that hardly any
// draw succeeds.
func TestHabitsWhereNothingCanBeDrawn(t *testing.T) {
	rules := fleetOf(5, match.TouchAny, 5, 5, 5, 5, 5)
	var rows match.Layout
	for y := range 5 {
		rows = append(rows, match.Ship{Stern: match.NewCell(0, y), Heading: match.East, Length: 5})
	}
	m := NewMemory(rules)
	m.Learn(Game{Fleet: rows})
	p := layouts.NewPosterior(layouts.NewGeometry(rules), rand.New(rand.NewPCG(1, 2)))
	for range 20 {
		if h := newHabits(p, m); !(h.newShare > 0) {
			t.Fatalf("got probability %v of a new layout", h.newShare)
		}
	}
}

// fleetOf returns rules with ships of the given lengths, longest first.
func fleetOf(size int, contact match.Contact, lengths ...int) match.Rules {
	r := match.Rules{Name: "custom", Size: size, Contact: contact}
	for _, n := range lengths {
		r.Fleet = append(r.Fleet, match.Class{Name: "ship", Length: n})
	}
	return r
}
