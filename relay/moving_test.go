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

// TestKeptFleetsPassAudit checks that the strictest audit accepts the results of programs that keep their
// fleets, and move them secretly under naval rules.
func TestKeptFleetsPassAudit(t *testing.T) {
	for _, rules := range []match.Rules{match.Salvo(), match.Naval()} {
		t.Run(rules.Name, func(t *testing.T) {
			t.Parallel()
			address, _ := startRelay(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Audit: audit.Forfeit})
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
				t.Errorf("%d and %d games were won, want 4 in all", one, two)
			}
			play("bot hard", "commodore", "random", 3)
		})
	}
}

// TestHeldFleetDoesNotMove checks that a fleet that the server holds for a client does not
// move, so one shot at each cell sinks it, and that the client does not get the last attack.
func TestHeldFleetDoesNotMove(t *testing.T) {
	address, _ := startRelay(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{Audit: audit.Forfeit})
	first := dial(t, address)
	first.send("% hello broadside/1 name=squid\n% rules naval\n% layout uniform\n% ready")
	first.expect("% ok hello\n% ok rules\n% ok layout\n% ok ready\n(3,[]).\n")
	second := dial(t, address)
	second.send("% hello broadside/1 name=whale\n% rules naval\n% ready")
	second.expect("% ok hello\n% ok rules\n% ok ready\n(4,[]).\n% opponent squid - casual\n(5,[]).\n")
	first.expect("% opponent whale - casual\n(5,[]).\n")
	struck, last := 0, ""
	for cell := range match.Naval().Cells().All() {
		attack := client.Message{Op: client.Attack, Cell: cell}
		second.send(attack.String())
		var err error
		if last, err = second.readLine(); err != nil {
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
		first.expect(attack.String() + "\n")
		first.send("(1,[0,0]).")
		second.expect("(1,[0,0]).\n")
		second.send("(2,[0,0,1]).")
		first.expect("(2,[0,0,1]).\n")
	}
	if want := match.Naval().FleetCellCount(); struck != want || last[len(last)-4:] != "4])." {
		t.Errorf("%d cells were struck, of %d; the last answer is %q", struck, want, last)
	}
	first.expect("% result lost sunk")
	second.expect("% result won sunk")
}
