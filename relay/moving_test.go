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

// TestKeptFleets lets programs that keep their fleets, and move them secretly under naval rules, play against
// each other and a bot. The strictest audit accepts all their answers.
func TestKeptFleets(t *testing.T) {
	for _, rules := range []match.Rules{match.Salvo(), match.Naval()} {
		t.Run(rules.Name, func(t *testing.T) {
			t.Parallel()
			address, _ := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Audit: audit.Forfeit})
			play := func(versus, strategy, mover string, seed uint64) (won int) {
				rng := rand.New(rand.NewPCG(seed, 3))
				player := func() (client.Player, error) {
					return bots.New(strategy, bots.Config{Rules: rules, Rand: rng, Mover: mover})
				}
				played := 0
				err := client.PlaySeries(t.Context(), address, rules, client.Directives{Games: 4, Versus: versus}, player, func(o client.Outcome) {
					played++
					if o.Won {
						won++
					}
					if o.Reason != "sunk" {
						t.Errorf("a game ended with %s", o.Reason)
					}
				})
				if err != nil || played != 4 {
					t.Errorf("%s against %s: %d games, %v", strategy, versus, played, err)
				}
				return won
			}
			var wg sync.WaitGroup
			var one, two int
			wg.Go(func() { one = play("any", "hard", "evade", 1) })
			wg.Go(func() { two = play("any", "medium", "forced", 2) })
			wg.Wait()
			if one+two != 4 {
				t.Errorf("%d and %d of 4 games were won", one, two)
			}
			play("bot hard", "commodore", "random", 3)
		})
	}
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
	for cell := range match.Naval().Cells().All() {
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
		if m.Result != match.Miss {
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
	if want := match.Naval().FleetCellCount(); struck != want || last[len(last)-4:] != "4])." {
		t.Errorf("%d cells were struck, of %d; the last answer is %q", struck, want, last)
	}
	first.hear("% result lost sunk")
	second.hear("% result won sunk")
}
