package relay_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/relay"
)

// dialFrom is like dial from another address of this machine.
func dialFrom(t testing.TB, from, address string) *client {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	nc, err := d.Dial("tcp", address)
	if err != nil {
		t.Skipf("this machine has no address %s: %v", from, err)
	}
	t.Cleanup(func() { nc.Close() })
	nc.SetDeadline(time.Now().Add(patience))
	return &client{t: t, nc: nc, eol: "\n"}
}

// TestCatcher checks a program that never plays and always reconnects: it delays one
// opponent by the time for a first move, and is not offered to the next.
func TestCatcher(t *testing.T) {
	address, l := serve(t, relay.Config{HelloDelay: 10 * time.Millisecond}, lobby.Config{FirstMoveTimeout: 200 * time.Millisecond})
	catcher := dialFrom(t, "127.0.0.2", address)
	catcher.hear("(3,[]).\n")
	arrival := dial(t, address)
	arrival.hear("(4,[]).\n(5,[]).\n")
	arrival.say("(1,[0,0]).")
	catcher.hear("(5,[]).\n(1,[0,0]).\n")
	arrival.end()
	catcher.end()

	again := dialFrom(t, "127.0.0.2", address)
	again.say("% hello broadside/1 name=catcher\n% ready")
	again.hear("% ok hello\n% ok ready\n% error waiting you kept an opponent waiting: you are offered to others again in 1m0s\n")
	second := dial(t, address)
	second.hear("(3,[]).\n")
	third := dial(t, address)
	third.hear("(4,[]).\n(5,[]).\n")
	second.hear("(5,[]).\n")
	waiting(t, l, 0)

	// It may play bots all the same.
	bots := dialFrom(t, "127.0.0.2", address)
	bots.say("% vs bot easy")
	bots.hear("% ok vs bot easy\n(4,[]).\n")
}

// TestWaitingPlaces checks that each address has few waiting places, and that addresses do
// not affect each other.
func TestWaitingPlaces(t *testing.T) {
	address, _ := serve(t, relay.Config{HelloDelay: time.Minute}, lobby.Config{})
	wait := func(from string) (*client, string) {
		c := dialFrom(t, from, address)
		c.say("% vs player nobody")
		c.hear("% ok vs player nobody\n")
		text, err := c.line()
		if err != nil {
			t.Fatal(err)
		}
		return c, text
	}
	const refusal = "% error refused as many programs of yours as may are waiting"
	first, _ := wait("127.0.0.2")
	for n := 2; n <= 5; n++ {
		if _, text := wait("127.0.0.2"); n < 5 && text != "(3,[])." || n == 5 && !strings.HasPrefix(text, refusal) {
			t.Errorf("number %d is told %q", n, text)
		}
	}
	if _, text := wait("127.0.0.3"); text != "(3,[])." {
		t.Errorf("another address is told %q", text)
	}
	first.nc.Close()
	for { // until the server has noticed; if it does not, the test ends by its time
		if _, text := wait("127.0.0.2"); text == "(3,[])." {
			break
		} else if !strings.HasPrefix(text, refusal) {
			t.Fatalf("after one has left, the next is told %q", text)
		}
	}
}
