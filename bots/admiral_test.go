package bots

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"broadside/bots/infer"
	"broadside/match"
)

// TestAdmiralFinishesWhatItKnows leaves one ship with a single possible position: the
// admiral must not miss.
func TestAdmiralFinishesWhatItKnows(t *testing.T) {
	rules := fleetOf(5, match.TouchNone, 4, 2)
	layout := match.Layout{
		{Stern: match.At(0, 0), Heading: match.East, Length: 4},
		{Stern: match.At(3, 4), Heading: match.East, Length: 2},
	}
	b := newBot(t, "admiral", rules, rand.New(rand.NewPCG(1, 1)))
	chart, fleet := match.NewChart(rules), match.NewFleet(layout)
	tell := func(cell match.Cell) match.Result {
		r := fleet.Shoot(cell)
		chart.Record(cell, r)
		return r
	}
	for c := range rules.Board().All() {
		if c.Y == 0 && c.X < 4 || c.Y < 4 && c.Y > 1 || c.Y == 4 && c.X < 3 {
			tell(c)
		}
	}
	for r := match.Water; r != match.LastSunk; {
		if r = tell(b.Fire(&chart)); r == match.Water {
			t.Fatal("a miss, though the last ship can lie in one way only")
		}
	}
}

// BenchmarkAdmiralKnowingHabits measures the most expensive shot: on an empty chart, with
// all habits to consider, including the setup of a game.
func BenchmarkAdmiralKnowingHabits(b *testing.B) {
	for _, rules := range []match.Rules{match.Classic(), customRules(b, 10, 10, match.TouchNone), customRules(b, 26, 10, match.TouchAny)} {
		b.Run(fmt.Sprint(rules.Size, " ", len(rules.Fleet)), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			m := infer.NewMemory(rules)
			for range 50 {
				m.Learn(infer.Game{Fleet: rules.RandomLayout(rng)})
			}
			chart := match.NewChart(rules)
			for b.Loop() {
				newAdmiral(Config{Rules: rules, Rand: rng, Memory: m}).Fire(&chart)
			}
		})
	}
}
