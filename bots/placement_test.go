package bots

import (
	"math/rand/v2"
	"testing"

	"broadside/match"
)

func customRules(t testing.TB, size, ships int, contact match.Contact) match.Rules {
	t.Helper()
	r, err := match.CustomRules(size, ships, contact)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestPlacements places fleets with every method under all kinds of rules.
func TestPlacements(t *testing.T) {
	for _, rules := range []match.Rules{
		match.Classic(), match.Hasbro(),
		customRules(t, 5, 2, match.TouchAny), customRules(t, 8, 7, match.TouchCorners),
		customRules(t, 12, 10, match.TouchNone), customRules(t, 26, 10, match.TouchCorners),
	} {
		for _, way := range Placements() {
			if way.Argument != "" {
				continue
			}
			rng := rand.New(rand.NewPCG(3, 4))
			seen := map[match.Set]bool{}
			for range 20 {
				bot, err := New("easy", Config{Rules: rules, Rand: rng, Placement: way.Name})
				if err != nil {
					t.Fatal(err)
				}
				l := bot.Place()
				if err := rules.CheckLayout(l); err != nil {
					t.Fatalf("%s: %v", way.Name, err)
				}
				seen[l.Cells()] = true
			}
			if len(seen) < 5 {
				t.Errorf("%s: only %d different layouts of 20 on %d×%d", way.Name, len(seen), rules.Size, rules.Size)
			}
		}
	}
}

// TestEdgesLieAlongTheEdge counts ships along the edges with both methods. Uniform layouts
// have about one ship of five there.
func TestEdgesLieAlongTheEdge(t *testing.T) {
	rules := match.Classic()
	along := func(way string) float64 {
		n := 0
		rng := rand.New(rand.NewPCG(1, 2))
		for range 400 {
			bot, err := New("easy", Config{Rules: rules, Rand: rng, Placement: way})
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range bot.Place() {
				if isAlongEdge(rules, s) {
					n++
				}
			}
		}
		return float64(n) / 400
	}
	uniform, edges := along("uniform"), along("edges")
	t.Logf("ships along the edge: uniform %.2f, edges %.2f", uniform, edges)
	if uniform > 2 || edges < 3.5 {
		t.Errorf("ships along the edge: uniform %.2f, edges %.2f", uniform, edges)
	}
}

// TestDrawPlaceFollowsItsWeights compares the frequencies of a ship's places with their
// weights.
func TestDrawPlaceFollowsItsWeights(t *testing.T) {
	rules := customRules(t, 5, 2, match.TouchCorners)
	rng := rand.New(rand.NewPCG(5, 6))
	l := match.Layout{
		{Stern: match.NewCell(0, 0), Heading: match.East, Length: 5},
		{Stern: match.NewCell(0, 2), Heading: match.East, Length: 4},
	}
	got := map[match.Ship]int{}
	const draws = 21_000
	for range draws {
		got[redrawShip(rules, rng, l, 1, func(s match.Ship) float64 { return float64(1 + s.Stern.X) })]++
	}
	// Rows C to E hold two places each that face east, of weights 1 and 2. None faces south: only three rows are free.
	if len(got) != 6 {
		t.Fatalf("%d places", len(got))
	}
	for ship, n := range got {
		want := draws * int(1+ship.Stern.X) / 9
		if n < want*9/10 || n > want*11/10 {
			t.Errorf("%v drawn %d times, want about %d", ship, n, want)
		}
	}
}
