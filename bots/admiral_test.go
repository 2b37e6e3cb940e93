package bots

import (
	"math/rand/v2"
	"testing"

	"broadside/match"
)

// TestAdmiralFinishesWhatItKnows leaves one ship with a single possible position: the
// admiral must not miss.
func TestAdmiralFinishesWhatItKnows(t *testing.T) {
	rules := fleetOf(5, match.TouchNone, 4, 2)
	layout := match.Layout{
		{Stern: match.NewCell(0, 0), Heading: match.East, Length: 4},
		{Stern: match.NewCell(3, 4), Heading: match.East, Length: 2},
	}
	b := newBot(t, "admiral", rules, rand.New(rand.NewPCG(1, 1)))
	chart, fleet := match.NewChart(rules), match.NewFleet(layout)
	tell := func(cell match.Cell) match.Result {
		r := fleet.Fire(cell)
		chart.Record(cell, r)
		return r
	}
	for c := range rules.Cells().All() {
		if c.Y == 0 && c.X < 4 || c.Y < 4 && c.Y > 1 || c.Y == 4 && c.X < 3 {
			tell(c)
		}
	}
	for r := match.Miss; r != match.LastSunk; {
		if r = tell(b.Fire(&chart)); r == match.Miss {
			t.Fatal("a miss, though the last ship can lie in one way only")
		}
	}
}
