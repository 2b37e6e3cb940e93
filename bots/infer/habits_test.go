package infer

import (
	"math/rand/v2"
	"slices"
	"testing"

	"broadside/match"
	"broadside/match/layouts"
)

// turned returns a cell of a board that is rotated by quarter turns, and mirrored if turn
// is at least 4.
func turned(size int, c match.Cell, turn int) match.Cell {
	x, y := int(c.X), int(c.Y)
	if turn >= 4 {
		x = size - 1 - x
	}
	for range turn % 4 {
		x, y = size-1-y, x
	}
	return match.At(x, y)
}

// TestImages compares transformed layouts with layouts transformed cell by cell.
func TestImages(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, rules := range []match.Rules{match.Classic(), fleetOf(13, match.TouchNone, 5, 4, 3, 3, 2)} {
		w := layouts.NewGeometry(rules)
		l := &learner{Posterior: layouts.NewPosterior(w, rng)}
		for range 20 {
			layout := rules.RandomLayout(rng)
			for turn := range 8 {
				got := w.Layout(l.transform(numbers(w, layout), turn))
				var want match.Set
				for c := range layout.Cells().All() {
					want.Add(turned(rules.Size, c, turn))
				}
				if rules.Check(got) != nil || got.Cells() != want {
					t.Fatalf("%v turned by %d: %v", layout, turn, got)
				}
			}
		}
	}
}

// numbers returns the positions of a layout, sorted.
func numbers(w *layouts.Geometry, l match.Layout) []int {
	var out []int
	for _, ship := range l {
		out = append(out, w.Find(ship))
	}
	slices.Sort(out)
	return out
}

// draw returns a layout: uniform, or with a preference for the edges of the board.
func draw(rules match.Rules, edges bool, rng *rand.Rand) match.Layout {
	preferences := make([]float64, rules.Size*rules.Size)
	for i := range preferences {
		x, y, last := i%rules.Size, i/rules.Size, rules.Size-1
		if edges && (x%last == 0 || y%last == 0) {
			preferences[i] = 3
		}
	}
	p := layouts.NewPosterior(layouts.NewGeometry(rules), rng)
	p.Read(layouts.NewLog(rules))
	layout, _ := p.Prefer(preferences)
	return layout
}

// TestHabitProbabilities checks the computed probabilities after some games.
func TestHabitProbabilities(t *testing.T) {
	rules := match.Classic()
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		edges      bool // the opponent prefers the edges of the board
		games      int
		uniform    bool    // whether fresh layouts are taken to be uniform
		againBelow float64 // how likely a repeat may be
	}{{false, 40, true, 0.1}, {false, 12, true, 0.1}, {true, 8, false, 0.1}} {
		m := NewMemory(rules)
		for range c.games {
			m.Learn(Game{Fleet: draw(rules, c.edges, rng)})
		}
		p := layouts.NewPosterior(layouts.NewGeometry(rules), rng)
		h := newHabits(p, m)
		uniform, fresh, again := 0.0, 0.0, 0.0
		for _, a := range h.fresh {
			p.Weight = a.weight
			p.Read(layouts.NewLog(rules))
			p.Sample(2000)
			fresh += a.prior * p.Total
			if a.weight == nil {
				uniform += a.prior * p.Total
			}
		}
		for _, r := range h.again {
			again += r.prior
		}
		t.Logf("edges %t, %d games: fresh %.3f, of this uniform %.3f; again %.3f", c.edges, c.games, fresh, uniform, again)
		if sum := fresh + again; sum < 0.9 || sum > 1.1 {
			t.Errorf("edges %t: the probabilities add up to %v", c.edges, sum)
		}
		if again > c.againBelow {
			t.Errorf("edges %t: a repeat has the probability %v", c.edges, again)
		}
		if (uniform > 0.5) != c.uniform {
			t.Errorf("edges %t, %d games: a uniform layout has the probability %v", c.edges, c.games, uniform)
		}
	}
}

// TestHabitsWhereNothingCanBeDrawn uses a fleet that fills its board, so that hardly any
// draw succeeds.
func TestHabitsWhereNothingCanBeDrawn(t *testing.T) {
	rules := fleetOf(5, match.TouchAny, 5, 5, 5, 5, 5)
	m := NewMemory(rules)
	m.Learn(Game{Struck: rules.Board()})
	p := layouts.NewPosterior(layouts.NewGeometry(rules), rand.New(rand.NewPCG(1, 2)))
	for range 20 {
		h := newHabits(p, m)
		for _, a := range h.fresh {
			if !(a.prior > 0) {
				t.Fatalf("an account with the prior %v", a.prior)
			}
		}
		if len(h.fresh) == 0 {
			t.Fatal("no account of fresh layouts")
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
