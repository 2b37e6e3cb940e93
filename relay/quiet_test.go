package relay_test

import (
	"testing"
	"testing/synctest"
	"time"

	"broadside/lobby"
	"broadside/relay"
)

// TestQuietAddress checks that clients get their role immediately if their address's last ten connections
// sent no directive, and that directives still count until there is an opponent.
func TestQuietAddress(t *testing.T) {
	bubble(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{}, func(t *testing.T, r *internalRelay) {
		const quiet = "198.51.100.2"
		for n := range 10 {
			began := time.Now()
			c := r.dial(t, quiet)
			c.hear("(3,[]).\n")
			if took := time.Since(began); took != time.Minute {
				t.Errorf("connection %d waited for %v, want a minute", n+1, took)
			}
			c.nc.Close()
			waiting(t, r.lobby, 0)
		}
		began := time.Now()
		first, second := r.dial(t, quiet), r.dial(t, quiet)
		first.hear("(3,[]).\n")
		second.hear("(4,[]).\n(5,[]).\n")
		first.hear("(5,[]).\n")
		if took := time.Since(began); took > 0 {
			t.Errorf("two connections waited for %v, want no time", took)
		}
		second.say("% hello broadside/1 name=late")
		second.hear("% error late hello has to come before your first role: reconnect\n")

		third := r.dial(t, quiet)
		third.hear("(3,[]).\n")
		third.say("% hello broadside/1 name=kraken\n% vs bot easy\n% rules salvo")
		third.hear("% ok hello\n% ok vs bot easy\n% ok rules\n(4,[]).\n% opponent easy - casual\n(5,[]).\n")

		fourth := r.dial(t, quiet)
		fourth.hear("(3,[]).\n")
		fourth.say("% hello broadside/1 name=whale")
		fourth.hear("% ok hello\n")
		waiting(t, r.lobby, 0)
		time.Sleep(time.Minute)
		waiting(t, r.lobby, 1)
		fifth := r.dial(t, "")
		fifth.hear("(4,[]).\n(5,[]).\n")
		fourth.await("(5,[]).")

		second.nc.Close()
		synctest.Wait()
		began = time.Now()
		sixth := r.dial(t, quiet)
		sixth.hear("(3,[]).\n")
		if took := time.Since(began); took != time.Minute {
			t.Errorf("after a directive, a connection waited for %v, want a minute", took)
		}
		sixth.say("% hello broadside/1 name=late")
		sixth.hear("% error late hello has to come before your first role: reconnect\n")
	})
}
