package relay_test

import (
	"strings"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/relay"
)

// gone fails the test unless a connection is closed without output.
func gone(t *testing.T, address string) {
	t.Helper()
	c := dial(t, address)
	c.end()
}

// TestConnectionRate checks that an address that connects too often is refused, except the
// loopback address.
func TestConnectionRate(t *testing.T) {
	refused := 0
	cfg := relay.Config{HelloDelay: time.Minute, Limits: relay.Limits{ConnRate: 1, ConnBurst: 3}, Refused: func(r relay.Refusal) {
		if refused++; r != relay.RefusedRate {
			t.Errorf("refused for %q", r)
		}
	}}
	bubble(t, cfg, lobby.Config{}, func(t *testing.T, r *internalRelay) {
		for n := range 5 {
			r.dial(t, "127.0.0.1").say("% dance")
			if c := r.dial(t, "203.0.113.9"); n < 3 {
				c.say("% dance")
				c.hear("% error unknown")
			} else {
				c.end()
			}
		}
	})
	if refused != 2 {
		t.Errorf("%d connections were refused", refused)
	}
}

// TestEmptyLines checks that empty lines are ignored, up to a limit.
func TestEmptyLines(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: time.Millisecond}, lobby.Config{})
	first, second := pair(t, address)
	second.say(strings.Repeat("\r\n \n", 1000) + "(1,[0,0]).")
	first.hear("(1,[0,0]).\n")
	go first.nc.Write([]byte(strings.Repeat("\n", 1<<20)))
	second.end()
}
