package relay_test

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/relay"
)

func TestMisbehaviourEndsMatch(t *testing.T) {
	for _, c := range []struct {
		name, sends string
		// answers is true if the defender sends the line, and false if the attacker does.
		answers bool
	}{
		{name: "malformed", sends: "hello\n"},
		{name: "a term that is not closed", sends: "(1,[1,2]\n"},
		{name: "something after the term", sends: "(1,[1,2]).(1,[1,2]).\n"},
		{name: "binary", sends: "\x00\xff\xfe\n"},
		{name: "unknown opcode", sends: "(9,[]).\n"},
		{name: "too few parameters", sends: "(1,[1]).\n"},
		{name: "too many parameters", sends: "(1,[1,2,3]).\n"},
		{name: "off the board", sends: "(1,[10,0]).\n"},
		{name: "far off the board", sends: "(1,[999999999,0]).\n"},
		{name: "a number too long", sends: "(1,[9999999999999999999999,0]).\n"},
		{name: "negative", sends: "(1,[-1,0]).\n"},
		{name: "the server's opcode", sends: "(5,[]).\n"},
		{name: "out of turn", sends: "(2,[1,1,1]).\n"},
		{name: "two shots in a row", sends: "(1,[1,1]).\n(1,[2,2]).\n"},
		{name: "a line without end", sends: strings.Repeat("x", 300)},
		{name: "hang-up", sends: "EOF"},
		{name: "answer for another cell", sends: "(2,[4,4,1]).\n", answers: true},
		{name: "no such result", sends: "(2,[3,3,5]).\n", answers: true},
		{name: "result zero", sends: "(2,[3,3,0]).\n", answers: true},
		{name: "a shot instead of an answer", sends: "(1,[3,3]).\n", answers: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			runInBubble(t, relay.Config{}, lobby.Config{}, func(t *testing.T, r *internalRelay) {
				stop := playInBackground(t, r)
				first, second := r.dial(t, ""), r.dial(t, "")
				first.expect("(3,[]).\n(5,[]).\n")
				second.expect("(4,[]).\n(5,[]).\n")
				offender := second
				if c.answers {
					second.send("(1,[3,3]).")
					first.expect("(1,[3,3]).\n")
					offender = first
				}
				if c.sends == "EOF" {
					offender.nc.Close()
				} else if _, err := io.WriteString(offender.nc, c.sends); err != nil {
					t.Fatal(err)
				}
				if c.name == "two shots in a row" {
					first.expect("(1,[1,1]).\n")
				}
				first.expectClosed()
				if c.sends != "EOF" {
					second.expectClosed()
				}
				stop()
			})
		})
	}
}

// playInBackground lets two clients play games until stop is called. The test fails if a game was
// disturbed.
func playInBackground(t *testing.T, r *internalRelay) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	// The rules differ from those of the other clients, so that they never meet.
	var wg sync.WaitGroup
	games := 0
	wg.Go(func() {
		for seed := uint64(1); ctx.Err() == nil; seed++ {
			first, second := r.dial(t, ""), r.dial(t, "")
			startMatchByRules(t, first, second, "hasbro")
			for range 20 {
				second.send("(1,[5,5]).")
				first.expect("(1,[5,5]).\n")
				first.send("(2,[5,5,1]).")
				second.expect("(2,[5,5,1]).\n")
				first.send("(1,[5,5]).")
				second.expect("(1,[5,5]).\n")
				second.send("(2,[5,5,1]).")
				first.expect("(2,[5,5,1]).\n")
			}
			first.nc.Close()
			second.nc.Close()
			games++
			// The clock has to advance.
			time.Sleep(50 * time.Millisecond)
		}
	})
	return func() {
		cancel()
		wg.Wait()
		if games == 0 {
			t.Error("no game was played in the background")
		}
	}
}

// startMatchByRules pairs two new clients, which ask for rules.
func startMatchByRules(t testing.TB, first, second *testClient, rules string) {
	t.Helper()
	first.send("% rules " + rules + "\n% ready")
	first.expect("% ok rules\n% ok ready\n(3,[]).\n")
	second.send("% rules " + rules + "\n% ready")
	second.expect("% ok rules\n% ok ready\n(4,[]).\n")
	for _, c := range []*testClient{first, second} {
		for {
			l, err := c.readLine()
			if err != nil {
				t.Fatal(err)
			}
			if l == "(5,[])." {
				break
			}
		}
	}
}
