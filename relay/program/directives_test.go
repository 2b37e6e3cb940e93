//go:build unix

package program_test

import (
	"strings"
	"testing"

	"broadside/match"
	"broadside/relay/program"
)

// TestDirectivesAreAnswered checks the answers of a host that has chosen the game, as the arena has, and of
// one that grants what a server grants. A refused directive keeps no program from its game.
func TestDirectivesAreAnswered(t *testing.T) {
	t.Parallel()
	const unavailable = " is not available here: leave it out"
	for _, c := range []struct{ line, chosen, open string }{
		{"% hello broadside/1 name=kraken", "ok hello", "ok hello"},
		{"% rules classic", "ok rules classic", "ok rules classic"},
		{"% RULES hasbro", "error rules the rules are classic", "ok rules hasbro"},
		{"% layout uniform", "ok layout", "ok layout"},
		{"% layout carrier A1 A5", "error layout there is only layout uniform", "error layout "},
		{"% games 1", "ok games 1", "ok games 1"},
		{"% games 100", "error games there is one game on a connection: say games 1, and connect again for the next", "ok games 100"},
		{"% games many", "error games say how many games the series has", "error games say how many games the series has"},
		{"% token 6f", "error token" + unavailable, "ok token"},
		{"% resume 6f 3", "error resume" + unavailable, "error resume" + unavailable},
		{"% casual", "error casual" + unavailable, "ok casual"},
		{"% dance", "error unknown directive: there are hello, ", "error unknown directive: there are hello, "},
		{"% vs any", "ok vs any", "ok vs any"},
		{"% vs bot hard", "error vs your opponent has been chosen", "ok vs bot hard"},
	} {
		for open, want := range map[bool]string{false: c.chosen, true: c.open} {
			var answers []string
			p := program.New(program.Config{
				Words: []string{"sh", "-c", `echo "` + c.line + `"; echo "% ready"; cat >&2`}, Stdio: true, Hello: patience,
				Log: func(line string) {
					if answer, sent := strings.CutPrefix(line, "> % "); sent {
						answers = append(answers, answer)
					}
				},
			})
			startGame(t, p)
			r, err := p.AwaitReady(program.Policy{Rules: match.Classic(), Open: open})
			p.Close()
			if err != nil || !r.UsesDirectives || !r.Ready || !strings.HasPrefix(answers[0], want) {
				t.Errorf("%q (open: %v) is answered %q, %v, want %q", c.line, open, answers, err, want)
			}
		}
	}
}
