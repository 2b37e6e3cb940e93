package arena

import (
	"bufio"
	"net"
	"testing"
	"time"

	"broadside/match"
	"broadside/relay"
)

// TestDirectives checks that the arena answers directives as the relay does, and that no
// refused directive keeps a program from its game.
func TestDirectives(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	defer far.Close()
	heard := bufio.NewReader(far)
	w := &wire{nc: near, rules: match.Classic(), program: &programRun{pool: &programPool{move: time.Minute}}}
	for _, c := range []struct{ say, hear string }{
		{"% hello broadside/1 name=kraken", "% ok hello\n"},
		{"% rules classic", "% ok rules\n"},
		{"% rules chess", "% error rules here the rules are classic\n"},
		{"% layout uniform", "% ok layout\n"},
		{"% games 1", "% ok games 1\n"},
		{"% games 100", "% error games the arena plays one game on a connection: say games 1, and connect again for the next\n"},
		{"% token 6f", "% error token is not available here: leave it out\n"},
		{"% dance", "% " + relay.Unimplemented("dance") + "\n"},
		{"% vs bot hard", "% error vs the arena has chosen your opponent\n"},
		{"% vs any", "% ok vs any\n"},
		{"% ready", "% ok ready\n"},
	} {
		answered := make(chan *fault, 1)
		go func() { answered <- w.handleDirective([]byte(c.say)) }()
		got, err := heard.ReadString('\n')
		if f := <-answered; f != nil || err != nil || got != c.hear {
			t.Errorf("%q is answered %q (%v, %v), want %q", c.say, got, err, f, c.hear)
		}
	}
}
