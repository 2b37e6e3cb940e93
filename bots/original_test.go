package bots

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"broadside/match"
)

// TestDocumentedPlacementsAreNotUniform counts how often the ship of five lies along the
// edge of a small board, and compares the shares with those that follow from each method.
// Uniform layouts have it there in 12 of 24 cases. The Java method draws it first, from 10
// places of which 4 are at the edge. The Prolog method draws it first in half the cases; in
// the other half, the ship of four leaves an edge free in 8 of 15 cases.
func TestDocumentedPlacementsAreNotUniform(t *testing.T) {
	rules := customRules(t, 5, 2, match.TouchCorners)
	for _, c := range []struct {
		way   string
		share float64
	}{{"uniform", 1. / 2}, {"java", 2. / 5}, {"prolog", 7. / 15}} {
		rng := rand.New(rand.NewPCG(7, 8))
		const draws = 10_000
		n := 0
		headings := map[match.Heading]int{}
		for range draws {
			bot, err := New("easy", Config{Rules: rules, Rand: rng, Placement: c.way})
			if err != nil {
				t.Fatal(err)
			}
			l := bot.Place()
			if err := rules.CheckLayout(l); err != nil {
				t.Fatalf("%s: %v", c.way, err)
			}
			if isAlongEdge(rules, l[0]) {
				n++
			}
			headings[l[0].Heading]++
		}
		got := float64(n) / draws
		if limit := 4 * math.Sqrt(c.share*(1-c.share)/draws); math.Abs(got-c.share) > limit {
			t.Errorf("%s: %.3f of the ships along the edge, want %.3f ± %.3f", c.way, got, c.share, limit)
		}
		if c.way != "uniform" && (len(headings) != 4 || headings[match.North] < draws/5) {
			t.Errorf("%s: headings %v", c.way, headings)
		}
	}
}

// TestDocumentedPlacementsGiveUp asks for a fleet that fits on no board.
func TestDocumentedPlacementsGiveUp(t *testing.T) {
	rules := match.Rules{Size: 5, Contact: match.TouchNone, Fleet: match.Naval().Fleet}
	for _, way := range []string{"java", "prolog"} {
		_, err := New("easy", Config{Rules: rules, Rand: rand.New(rand.NewPCG(1, 1)), Placement: way})
		if err == nil || !strings.Contains(err.Error(), "within its quota") {
			t.Errorf("%s: %v", way, err)
		}
	}
}

// TestPrologContacts checks that as many ships touch at corners as in the original system's layouts,
// which have 0.35 to 0.43 contacts on average.
func TestPrologContacts(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const draws = 10_000
	contacts := 0
	for range draws {
		bot, err := New("easy", Config{Rules: match.Classic(), Rand: rng, Placement: "prolog"})
		if err != nil {
			t.Fatal(err)
		}
		l := bot.Place()
		for i := range l {
			halo := match.TouchNone.Halo(l[i].Cells())
			for _, other := range l[i+1:] {
				if cells := other.Cells(); halo.Overlaps(&cells) {
					contacts++
				}
			}
		}
	}
	if mean := float64(contacts) / draws; mean < 0.35 || mean > 0.43 {
		t.Errorf("got %.3f contacts per layout, want 0.35 to 0.43", mean)
	}
}
