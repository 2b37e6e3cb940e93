package bots

import (
	"math/rand/v2"
	"testing"

	"broadside/match"
)

// countSalvos lets a bot sink a fleet with a number of shots per turn, and returns how many
// shots it took. A turn may not contain a cell twice or one that was fired at before, nor,
// while there are others, one that is known to be water.
func countSalvos(t *testing.T, rules match.Rules, bot Bot, layout match.Layout, ships int) int {
	t.Helper()
	chart, fleet := match.NewChart(rules), match.NewFleet(layout)
	firesAtWater := ignoresDeductions(bot)
	for {
		open := chart.OpenCells()
		cells := chart.AppendTargets(nil, rules.ShotsPerTurn(ships, &chart), bot.Fire)
		var named match.Set
		for _, c := range cells {
			if named.Has(c) || chart.Shots.Has(c) || !rules.Contains(c) {
				t.Fatalf("after %d shots, %v of %v is illegal or repeated", chart.Fired, c, cells)
			}
			if named.Add(c); !firesAtWater && chart.Deduced.Has(c) && !open.IsSubsetOf(&named) {
				t.Fatalf("after %d shots, %v of %v must be water", chart.Fired, c, cells)
			}
		}
		for _, c := range cells {
			r := fleet.Fire(c)
			chart.Record(c, r)
			if r == match.LastSunk {
				return chart.Fired
			}
		}
	}
}

// TestSalvos plays random games of salvos with each bot, under presets and custom rules.
func TestSalvos(t *testing.T) {
	all := []match.Rules{match.Salvo(), match.Hasbro(), customRules(t, 5, 2, match.TouchAny), customRules(t, 8, 6, match.TouchNone), customRules(t, 12, 10, match.TouchCorners)}
	for i := range all {
		all[i].Salvo = true
	}
	for _, name := range botNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(5, 5))
			games := 60
			if name == "admiral" {
				games = 5
			}
			for i := range games * more {
				rules := all[i%len(all)]
				countSalvos(t, rules, newBot(t, name, rules, rng), rules.RandomLayout(rng), 1+rng.IntN(len(rules.Fleet)))
			}
		})
	}
}
