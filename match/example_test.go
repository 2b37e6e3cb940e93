package match_test

import (
	"fmt"
	"math/rand/v2"

	"broadside/match"
	"broadside/match/audit"
)

// Two sides place random fleets and fire at the cells in order, until one fleet is sunk.
func ExampleGame() {
	rules := match.Classic()
	game := match.NewGame(rules, audit.Off)
	rng := rand.New(rand.NewPCG(1, 2))
	var fleets [2]*match.Fleet
	for side := range fleets {
		layout := rules.RandomLayout(rng)
		fleets[side] = match.NewFleet(layout)
		if _, err := game.Apply(match.PlaceCommand(match.Side(side), layout)); err != nil {
			fmt.Println(err)
			return
		}
	}
	for cell := range rules.Cells().All() {
		for range fleets {
			attacker := game.ActingSide()
			if _, err := game.Apply(match.FireCommand(attacker, cell)); err != nil {
				fmt.Println(err)
				return
			}
			if game.Phase() == match.Over {
				events := game.Events()
				fmt.Println("side", events[len(events)-1].Side, "wins after", game.ShotsFired(attacker), "shots")
				return
			}
		}
	}
	// Output: side 1 wins after 84 shots
}

// A layout is legal or not, depending on the rules.
func ExampleRules_CheckLayout() {
	rules := match.Classic()
	layout := rules.RandomLayout(rand.New(rand.NewPCG(1, 2)))
	fmt.Println(rules.CheckLayout(layout))
	fmt.Println(rules.CheckLayout(layout[1:]) == nil)
	// Output:
	// <nil>
	// false
}

func ExampleParseCell() {
	cell, err := match.ParseCell("b7")
	fmt.Println(cell, cell.X, cell.Y, err)
	// Output: B7 6 1 <nil>
}
