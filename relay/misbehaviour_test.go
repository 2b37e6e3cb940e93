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

func TestMisbehaviourEndsTheMatch(t *testing.T) {
	for _, c := range []struct {
		name, sends string
		answers     bool // sent by the defender; otherwise by the attacker
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
			bubble(t, relay.Config{}, lobby.Config{}, func(t *testing.T, r *internalRelay) {
				innocent := playOn(t, r)
				first, second := r.dial(t, ""), r.dial(t, "")
				first.hear("(3,[]).\n(5,[]).\n")
				second.hear("(4,[]).\n(5,[]).\n")
				offender := second
				if c.answers {
					second.say("(1,[3,3]).")
					first.hear("(1,[3,3]).\n")
					offender = first
				}
				if c.sends == "EOF" {
					offender.nc.Close()
				} else if _, err := io.WriteString(offender.nc, c.sends); err != nil {
					t.Fatal(err)
				}
				if c.name == "two shots in a row" {
					first.hear("(1,[1,1]).\n")
				}
				first.end()
				if c.sends != "EOF" {
					second.end()
				}
				innocent()
			})
		})
	}
}

// playOn lets two bots play games on the relay until the returned function is called, which
// fails the test if any game was disturbed.
func playOn(t *testing.T, r *internalRelay) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	// Their rules differ from those of the other clients, which they therefore never meet.
	var wg sync.WaitGroup
	games := 0
	wg.Go(func() {
		for seed := uint64(1); ctx.Err() == nil; seed++ {
			first, second := r.dial(t, ""), r.dial(t, "")
			pairUnder(t, first, second, "hasbro")
			for range 20 {
				second.say("(1,[5,5]).")
				first.hear("(1,[5,5]).\n")
				first.say("(2,[5,5,1]).")
				second.hear("(2,[5,5,1]).\n")
				first.say("(1,[5,5]).")
				second.hear("(1,[5,5]).\n")
				second.say("(2,[5,5,1]).")
				first.hear("(2,[5,5,1]).\n")
			}
			first.nc.Close()
			second.nc.Close()
			games++
			time.Sleep(50 * time.Millisecond) // for the clock to advance
		}
	})
	return func() {
		cancel()
		wg.Wait()
		if games == 0 {
			t.Error("no innocent game was played")
		}
	}
}

// pairUnder pairs two new connections, which request rules with directives.
func pairUnder(t testing.TB, first, second *testClient, rules string) {
	t.Helper()
	first.say("% rules " + rules + "\n% ready")
	first.hear("% ok rules\n% ok ready\n(3,[]).\n")
	second.say("% rules " + rules + "\n% ready")
	second.hear("% ok rules\n% ok ready\n(4,[]).\n")
	for _, c := range []*testClient{first, second} {
		for {
			l, err := c.line()
			if err != nil {
				t.Fatal(err)
			}
			if l == "(5,[])." {
				break
			}
		}
	}
}
