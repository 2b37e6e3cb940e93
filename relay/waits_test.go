package relay_test

import (
	"strings"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/relay"
)

// TestCatcher checks that programs at an address where one has kept its opponent waiting play like all
// others, but let programs at other addresses go first.
func TestCatcher(t *testing.T) {
	const moveTime = 2 * time.Minute
	bubble(t, relay.Config{}, lobby.Config{MoveTimeout: moveTime}, func(t *testing.T, r *internalRelay) {
		const caught = "198.51.100.2"
		catcher := r.dial(t, caught)
		catcher.hear("(3,[]).\n")
		arrival := r.dial(t, "")
		arrival.hear("(4,[]).\n(5,[]).\n")
		began := time.Now()
		arrival.say("(1,[0,0]).")
		catcher.hear("(5,[]).\n(1,[0,0]).\n")
		arrival.end()
		catcher.end()
		if took := time.Since(began); took != moveTime {
			t.Errorf("the first shot had %v, want %v", took, moveTime)
		}

		began = time.Now()
		again := r.dial(t, caught)
		again.hear("(3,[]).\n")
		like := r.dial(t, caught)
		like.hear("(4,[]).\n(5,[]).\n")
		again.hear("(5,[]).\n")
		if took := time.Since(began); took != 2*relay.DefaultHelloDelay {
			t.Errorf("two programs at the address waited for %v, want %v", took, 2*relay.DefaultHelloDelay)
		}

		first := r.dial(t, "")
		first.hear("(3,[]).\n")
		behind := r.dial(t, caught)
		time.Sleep(time.Second)
		second := r.dial(t, "198.51.100.3")
		second.hear("(4,[]).\n(5,[]).\n")
		first.hear("(5,[]).\n")
		behind.hear("(3,[]).\n")
		third := r.dial(t, "")
		third.hear("(4,[]).\n(5,[]).\n")
		behind.hear("(5,[]).\n")

		fourth := r.dial(t, "")
		fourth.hear("(3,[]).\n")
		began = time.Now()
		alone := r.dial(t, caught)
		alone.hear("(4,[]).\n(5,[]).\n")
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("without others, a program at the address waited for %v, want at most 3s", took)
		}
	})
}

// TestWaitingPlaces checks that each address has few waiting places, and that addresses do
// not affect each other.
func TestWaitingPlaces(t *testing.T) {
	bubble(t, relay.Config{HelloDelay: time.Minute, Limits: relay.Limits{WaitingPerAddr: 4}}, lobby.Config{}, func(t *testing.T, r *internalRelay) {
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
