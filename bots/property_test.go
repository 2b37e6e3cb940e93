package bots

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"broadside/match"
)

// TestNoPointlessShot checks that no bot fires outside the board, or at a cell that was fired at or is known to be
// water. It plays random games under presets and custom rules, fewer with the slowest bot.
func TestNoPointlessShot(t *testing.T) {
	all := []match.Rules{match.Classic(), match.Hasbro()}
	for _, c := range []struct {
		size, ships int
		contact     match.Contact
	}{
		{5, 1, match.TouchNone}, {5, 2, match.TouchAny}, {6, 3, match.TouchCorners}, {7, 4, match.TouchNone},
		{8, 6, match.TouchAny}, {9, 5, match.TouchNone}, {11, 10, match.TouchCorners}, {13, 10, match.TouchAny},
	} {
		all = append(all, customRules(t, c.size, c.ships, c.contact))
	}
	for _, name := range botNames() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(10, 10))
			games := 100
			if name == "admiral" {
				games = 20
			}
			for i := range games * more {
				rules := all[i%len(all)]
				bot := newBot(t, name, rules, rng)
				countShotsToSink(t, rules, bot, rules.RandomLayout(rng))
			}
		})
	}
}

// TestLargeBoards plays a few games under the rules that need the most computing time.
func TestLargeBoards(t *testing.T) {
	for _, contact := range []match.Contact{match.TouchNone, match.TouchCorners, match.TouchAny} {
		rules := customRules(t, 26, 10, contact)
		for _, name := range botNames() {
			t.Run(fmt.Sprint(name, " ", contact), func(t *testing.T) { meanShots(t, name, rules, 1) })
		}
	}
}
