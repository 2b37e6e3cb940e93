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
	address, _ := serve(t, relay.Config{HelloDelay: 300 * time.Millisecond, WriteTimeout: time.Second},
		lobby.Config{MoveTimeout: 3 * time.Second})
	innocent := playOn(t, address)
	for _, c := range []struct{ name, sends string }{
		{"malformed", "hello\n"},
		{"a term that is not closed", "(1,[1,2]\n"},
		{"something after the term", "(1,[1,2]).(1,[1,2]).\n"},
		{"binary", "\x00\xff\xfe\n"},
		{"unknown opcode", "(9,[]).\n"},
		{"too few parameters", "(1,[1]).\n"},
		{"too many parameters", "(1,[1,2,3]).\n"},
		{"off the board", "(1,[10,0]).\n"},
		{"far off the board", "(1,[999999999,0]).\n"},
		{"a number too long", "(1,[9999999999999999999999,0]).\n"},
		{"negative", "(1,[-1,0]).\n"},
		{"the server's opcode", "(5,[]).\n"},
		{"out of turn", "(2,[1,1,1]).\n"},
		{"two shots in a row", "(1,[1,1]).\n(1,[2,2]).\n"},
		{"a line without end", strings.Repeat("x", 300)},
		{"silence", ""},
		{"hang-up", "EOF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			first, second := pair(t, address)
			if c.sends == "EOF" {
				second.nc.Close()
			} else if _, err := io.WriteString(second.nc, c.sends); err != nil {
				t.Fatal(err)
			}
			if c.name == "two shots in a row" {
				first.hear("(1,[1,1]).\n")
			}
			first.end()
			if c.sends != "EOF" {
				second.end()
			}
		})
	}
	for _, c := range []struct{ name, sends string }{
		{"answer for another cell", "(2,[4,4,1]).\n"},
		{"no such result", "(2,[3,3,5]).\n"},
		{"result zero", "(2,[3,3,0]).\n"},
		{"a shot instead of an answer", "(1,[3,3]).\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			first, second := pair(t, address)
			second.say("(1,[3,3]).")
			first.hear("(1,[3,3]).\n")
			io.WriteString(first.nc, c.sends)
			second.end()
			first.end()
		})
	}
	innocent()
}

// playOn lets two bots play games on the relay until the returned function is
// called, which fails the test if any game was disturbed.
func playOn(t *testing.T, address string) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	// Paired by rules of their own, they do not meet the others.
	var wg sync.WaitGroup
	games := 0
	wg.Go(func() {
		for seed := uint64(1); ctx.Err() == nil; seed++ {
			first, second := pairUnder(t, address, "hasbro")
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

// pairUnder connects two clients that ask for rules by directives.
func pairUnder(t testing.TB, address, rules string) (first, second *client) {
	t.Helper()
	first = dial(t, address)
	first.say("% rules " + rules + "\n% ready")
	first.hear("% ok rules\n% ok ready\n(3,[]).\n")
	second = dial(t, address)
	second.say("% rules " + rules + "\n% ready")
	second.hear("% ok rules\n% ok ready\n(4,[]).\n")
	for _, c := range []*client{first, second} {
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
	return first, second
}

func TestMessageWhileWaitingIsOutOfTurn(t *testing.T) {
	address, l := serve(t, relay.Config{HelloDelay: time.Millisecond}, lobby.Config{})
	c := dial(t, address)
	c.hear("(3,[]).\n")
	c.say("(1,[1,1]).")
	c.end()
	waiting(t, l, 0)
}

func TestVanishingWhileWaitingLeavesTheQueue(t *testing.T) {
	address, l := serve(t, relay.Config{HelloDelay: time.Millisecond}, lobby.Config{})
	c := dial(t, address)
	c.hear("(3,[]).\n")
	c.nc.Close()
	waiting(t, l, 0)
	wholeGame(t, address, func(*client, *client) {})
}
