package relay_test

import (
	"strings"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/relay"
)

// expectRefused fails the test unless the relay closes a new connection without output.
func expectRefused(t *testing.T, address string) {
	t.Helper()
	c := dial(t, address)
	c.expectClosed()
}

// TestConnectionRateIsLimited checks that an address that connects too often is refused, except the
// loopback address.
func TestConnectionRateIsLimited(t *testing.T) {
	refused := 0
	cfg := relay.Config{HelloDelay: time.Minute, Limits: relay.Limits{ConnRate: 1, ConnBurst: 3}, Refused: func(r relay.Refusal) {
		if refused++; r != relay.RefusedRate {
			t.Errorf("Refused(%q), want %q", r, relay.RefusedRate)
		}
	}}
	runInBubble(t, cfg, lobby.Config{}, func(t *testing.T, r *internalRelay) {
		for n := range 5 {
			r.dial(t, "127.0.0.1").send("% dance")
			if c := r.dial(t, "203.0.113.9"); n < 3 {
				c.send("% dance")
				c.expect("% error unknown")
			} else {
				c.expectClosed()
			}
		}
	})
	if refused != 2 {
		t.Errorf("%d connections were refused, want 2", refused)
	}
}

// TestEmptyLinesAreLimited checks that empty lines are ignored, up to a limit.
func TestEmptyLinesAreLimited(t *testing.T) {
	address, _ := startRelay(t, relay.Config{HelloDelay: time.Millisecond}, lobby.Config{})
	first, second := startMatch(t, address)
	second.send(strings.Repeat("\r\n \n", 1000) + "(1,[0,0]).")
	first.expect("(1,[0,0]).\n")
	go first.nc.Write([]byte(strings.Repeat("\n", 1<<20)))
	second.expectClosed()
}
