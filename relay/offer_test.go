package relay_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/relay"
)

// TestSilentClientsWaitBehind checks that clients that have sent nothing get their role after the hello
// delay, and are listed after other offers.
func TestSilentClientsWaitBehind(t *testing.T) {
	runInBubble(t, relay.Config{HelloDelay: time.Second}, lobby.Config{}, func(t *testing.T, r *internalRelay) {
		began := time.Now()
		silent := r.dial(t, "192.0.2.1")
		silent.expect("(3,[]).\n")
		if took := time.Since(began); took != time.Second {
			t.Errorf("the role came after %v", took)
		}
		for i, rules := range []string{"hasbro", "salvo"} {
			c := r.dial(t, fmt.Sprint("192.0.2.", i+2))
			c.send("% rules " + rules + "\n% ready")
			c.expect("% ok rules\n% ok ready\n(3,[]).\n")
		}
		var offered []string
		for _, w := range (<-r.lobby.Enter(account.Player{Name: "ann"}).Snapshots()).Waiting {
			offered = append(offered, w.Rules.Name)
		}
		if !slices.Equal(offered, []string{"hasbro", "salvo", "classic"}) {
			t.Errorf("offers = %v", offered)
		}
		opponent := r.dial(t, "192.0.2.4")
		opponent.send("% ready")
		opponent.expect("% ok ready\n(4,[]).\n% opponent ")
		silent.expect("(5,[]).\n")
	})
}
