package relay_test

import (
	"strings"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/relay"
)

// TestCatcher checks a program that never plays and always reconnects: it delays one
// opponent by the time for a first move, and is not offered to the next.
func TestCatcher(t *testing.T) {
	bubble(t, relay.Config{}, lobby.Config{FirstMoveTimeout: 10 * time.Second}, func(t *testing.T, r *internalRelay) {
		catcher := r.dial(t, "198.51.100.2")
		catcher.hear("(3,[]).\n")
		arrival := r.dial(t, "")
		arrival.hear("(4,[]).\n(5,[]).\n")
		arrival.say("(1,[0,0]).")
		catcher.hear("(5,[]).\n(1,[0,0]).\n")
		arrival.end()
		catcher.end()

		again := r.dial(t, "198.51.100.2")
		again.say("% hello broadside/1 name=catcher\n% ready")
		again.hear("% ok hello\n% ok ready\n% error waiting you kept an opponent waiting: you are offered to others again in 1m0s\n")
		second := r.dial(t, "")
		second.hear("(3,[]).\n")
		third := r.dial(t, "")
		third.hear("(4,[]).\n(5,[]).\n")
		second.hear("(5,[]).\n")
		waiting(t, r.lobby, 0)

		// It may still play bots.
		bots := r.dial(t, "198.51.100.2")
		bots.say("% vs bot easy")
		bots.hear("% ok vs bot easy\n(4,[]).\n")
	})
}

// TestWaitingPlaces checks that each address has few waiting places, and that addresses do
// not affect each other.
func TestWaitingPlaces(t *testing.T) {
	bubble(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{}, func(t *testing.T, r *internalRelay) {
		wait := func(from string) (*testClient, string) {
			c := r.dial(t, from)
			c.say("% vs player nobody")
			c.hear("% ok vs player nobody\n")
			text, err := c.line()
			if err != nil {
				t.Fatal(err)
			}
			return c, text
		}
		const refusal = "% error refused as many programs of yours as may are waiting"
		first, _ := wait("198.51.100.2")
		for n := 2; n <= 5; n++ {
			if _, text := wait("198.51.100.2"); n < 5 && text != "(3,[])." || n == 5 && !strings.HasPrefix(text, refusal) {
				t.Errorf("client %d receives %q", n, text)
			}
		}
		if _, text := wait("198.51.100.3"); text != "(3,[])." {
			t.Errorf("a client at another address receives %q", text)
		}
		first.nc.Close()
		for { // until the server has noticed
			if _, text := wait("198.51.100.2"); text == "(3,[])." {
				break
			} else if !strings.HasPrefix(text, refusal) {
				t.Fatalf("after one has left, the next receives %q", text)
			}
		}
	})
}
