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

// TestNaval lets raw clients that keep their fleets, and move them secretly, play each
// other and a built-in bot. The strictest audit accepts all their answers.
func TestNaval(t *testing.T) {
	t.Parallel()
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Audit: audit.Forfeit})
	play := func(versus, strategy, mover string, seed uint64) (all []client.Outcome) {
		rng := rand.New(rand.NewPCG(seed, 3))
		make := func() (client.Player, error) {
			return bots.New(strategy, bots.Config{Rules: match.Naval(), Rand: rng, Mover: mover})
		}
		series := client.Directives{Games: 4, Versus: versus}
		ended := func(o client.Outcome) { all = append(all, o) }
		if err := client.PlaySeries(t.Context(), address, match.Naval(), series, make, ended); err != nil {
			t.Errorf("%s against %s: %v", strategy, versus, err)
		}
		return all
	}
	won := 0
	count := func(all []client.Outcome) {
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
	var one, two []client.Outcome
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

// TestNavalLayoutUniform checks that a fleet that the server holds for a client does not
// move, so one shot at each cell sinks it, and that the client does not get the last attack.
func TestNavalLayoutUniform(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Audit: audit.Forfeit})
	first := dial(t, address)
	first.say("% hello broadside/1 name=squid\n% rules naval\n% layout uniform\n% ready")
	first.hear("% ok hello\n% ok rules\n% ok layout\n% ok ready\n(3,[]).\n")
	second := dial(t, address)
	second.say("% hello broadside/1 name=whale\n% rules naval\n% ready")
	second.hear("% ok hello\n% ok rules\n% ok ready\n(4,[]).\n% opponent squid - casual\n(5,[]).\n")
	first.hear("% opponent whale - casual\n(5,[]).\n")
	struck, last := 0, ""
	for cell := range match.Naval().Board().All() {
		attack := client.Message{Op: client.Attack, Cell: cell}
		second.say(attack.String())
		var err error
		if last, err = second.line(); err != nil {
			t.Fatal(err)
		}
		m, err := client.Parse([]byte(last))
		if err != nil || m.Op != client.Result || m.Cell != cell {
			t.Fatalf("the answer to %v is %q, %v", attack, last, err)
		}
		if m.Result != match.Water {
			struck++
		}
		if m.Result == match.LastSunk {
			break
		}
		first.hear(attack.String() + "\n")
		first.say("(1,[0,0]).")
		second.hear("(1,[0,0]).\n")
		second.say("(2,[0,0,1]).")
		first.hear("(2,[0,0,1]).\n")
	}
	if want := match.Naval().FleetCells(); struck != want || last[len(last)-4:] != "4])." {
		t.Errorf("%d cells were struck, of %d; the last answer is %q", struck, want, last)
	}
	first.hear("% result lost sunk")
	second.hear("% result won sunk")
}
