package relay_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"broadside/bots"
	"broadside/lobby"
	"broadside/match"
	"broadside/match/audit"
	"broadside/relay"
	"broadside/relay/client"
)

// TestSalvo lets programs that keep their fleets play salvo against each other and a bot,
// under the strictest audit.
func TestSalvo(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Audit: audit.Forfeit})
	play := func(versus, strategy string, seed uint64) (all []client.Outcome) {
		rng := rand.New(rand.NewPCG(seed, 3))
		player := func() (client.Player, error) {
			return bots.New(strategy, bots.Config{Rules: match.Salvo(), Rand: rng})
		}
		series := client.Directives{Games: 4, Versus: versus}
		ended := func(o client.Outcome) { all = append(all, o) }
		if err := client.PlaySeries(t.Context(), address, match.Salvo(), series, player, ended); err != nil {
			t.Errorf("%s against %s: %v", strategy, versus, err)
		}
		return all
	}
	won := 0
	count := func(all []client.Outcome) {
		for _, o := range all {
			if o.Reason != "sunk" {
				t.Errorf("a game ended with %s", o.Reason)
			}
			if o.Won {
				won++
			}
		}
	}
	var wg sync.WaitGroup
	var one, two []client.Outcome
	wg.Go(func() { one = play("any", "hard", 1) })
	wg.Go(func() { two = play("any", "medium", 2) })
	wg.Wait()
	count(one)
	count(two)
	if len(one) != 4 || len(two) != 4 || won != 4 {
		t.Errorf("%d and %d games were played, %d won", len(one), len(two), won)
	}
	three := play("bot hard", "commodore", 3)
	count(three)
	if len(three) != 4 {
		t.Errorf("%d games were played against a bot, want 4", len(three))
	}
}
