package relay_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"broadside/bots"
	"broadside/lobby"
	"broadside/match"
	"broadside/relay"
)

// TestNaval: raw clients that keep their fleets, and move them in silence, play
// each other and a bot of ours. The audit, at its strictest, objects to none of
// their answers.
func TestNaval(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Audit: match.AuditForfeit})
	play := func(versus, strategy, mover string, seed uint64) (all []relay.Outcome) {
		rng := rand.New(rand.NewPCG(seed, 3))
		make := func() (relay.Player, error) {
			return bots.New(strategy, bots.Config{Rules: match.Naval(), Rand: rng, Mover: mover})
		}
		inv := relay.Invitation{Address: address, Rules: match.Naval(), Games: 4, Versus: versus}
		if err := relay.PlaySeries(t.Context(), inv, make, func(o relay.Outcome) { all = append(all, o) }); err != nil {
			t.Errorf("%s against %s: %v", strategy, versus, err)
		}
		return all
	}
	won := 0
	count := func(all []relay.Outcome) {
		if len(all) != 4 {
			t.Errorf("%d games were played to their ends", len(all))
		}
		for _, o := range all {
			if o.Won {
				won++
			}
		}
	}
	var wg sync.WaitGroup
	var one, two []relay.Outcome
	wg.Go(func() { one = play("any", "hard", "evade", 1) })
	wg.Go(func() { two = play("any", "warship", "forced", 2) })
	wg.Wait()
	count(one)
	count(two)
	if won != 4 {
		t.Errorf("%d games were won, of 4", won)
	}
	count(play("bot warship", "medium", "random", 3))
}
