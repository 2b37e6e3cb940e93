package bots

import (
	"math/rand/v2"
	"testing"

	"broadside/bots/infer"
	"broadside/match"
)

// TestResistAgainstAHabit places against opponents who shoot row by row, from
// the top or from the bottom.
func TestResistAgainstAHabit(t *testing.T) {
	rules := match.Classic()
	for _, fromTop := range []bool{true, false} {
		m := infer.NewMemory(rules)
		for range 6 {
			var shots []match.Cell
			for c := range rules.Cells().All() {
				if !fromTop {
					c = match.NewCell(9-int(c.X), 9-int(c.Y))
				}
				if shots = append(shots, c); len(shots) == 60 {
					break
				}
			}
			m.Learn(infer.Game{Shots: shots})
		}
		rng := rand.New(rand.NewPCG(4, 5))
		top, seen := 0, map[match.Set]bool{}
		const games = 100
		for range games {
			l := placeResist(Config{Rules: rules, Rand: rng, Memory: m})
			if err := rules.CheckLayout(l); err != nil {
				t.Fatal(err)
			}
			seen[l.Cells()] = true
			for c := range l.Cells().All() {
				if c.Y < 5 {
					top++
				}
			}
		}
		share := float64(top) / float64(games*rules.FleetCellCount())
		t.Logf("from the top: %v, share of cells in the top half: %.2f", fromTop, share)
		if fromTop && share > 0.35 || !fromTop && share < 0.65 {
			t.Errorf("from the top: %v, share of cells in the top half: %.2f", fromTop, share)
		}
		if len(seen) < games*9/10 {
			t.Errorf("only %d different fleets in %d games", len(seen), games)
		}
	}
}
