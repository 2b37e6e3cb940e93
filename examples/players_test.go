package examples_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"broadside/bots/arena"
	"broadside/internal/test/need"
	"broadside/match"
	"broadside/relay/check"
)

// players are the examples that play on standard input and output.
var players = []struct {
	name, file string
	compile    []string // a compiler and its arguments; {out} is its output
	run        []string // a program and its arguments
	load       []string // loads the file without starting it; empty: that is not possible
}{
	{"Python", "player.py", nil, []string{"python3", "player.py"}, []string{"python3", "-B", "-c", "import player"}},
	{"Java", "Player.java", []string{"javac", "-d", "{out}", "Player.java"}, []string{"java", "-cp", "{out}", "Player"}, nil},
	{"Prolog", "player.pl", nil, []string{"swipl", "-g", "main", "-t", "halt", "player.pl"}, []string{"swipl", "-g", "consult('player.pl')", "-t", "halt"}},
	{"Go", "player/main.go", []string{"go", "build", "-o", "{out}", "./player"}, []string{"{out}"}, nil},
	{"JavaScript", "player.js", nil, []string{"node", "player.js"}, []string{"node", "-e", "require('./player.js')"}},
	{"C", "c/player.c", []string{"gcc", "-Wall", "-Wextra", "-Werror", "-o", "{out}", "c/player.c"}, []string{"{out}"}, nil},
}

// fillCommand returns words with {out} replaced and the program's path.
func fillCommand(t *testing.T, words []string, out string) []string {
	t.Helper()
	filled := make([]string, len(words))
	for i, w := range words {
		filled[i] = strings.ReplaceAll(w, "{out}", out)
	}
	if filled[0] != out {
		filled[0] = need.Tool(t, filled[0])
	}
	return filled
}

// TestStdinPlayers checks that each player is short, follows the protocol, plays against a bot,
// and does not start when it is loaded.
func TestStdinPlayers(t *testing.T) {
	for _, p := range players {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(p.file)
			if lines := strings.Count(string(text), "\n"); err != nil || lines > 25 || !strings.Contains(string(text), "our strategy") {
				t.Errorf("got %d lines, %v", lines, err)
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			out := filepath.Join(t.TempDir(), "player")
			for _, words := range [][]string{p.compile, p.load} {
				if len(words) == 0 {
					continue
				}
				words = fillCommand(t, words, out)
				if said, err := exec.CommandContext(ctx, words[0], words[1:]...).CombinedOutput(); err != nil || len(said) > 0 {
					t.Fatalf("%v: %v, output %s", words, err, said)
				}
			}
			run := fillCommand(t, p.run, out)
			r, err := check.Run(ctx, check.Config{Stdio: true, Command: run, Rules: match.Classic(), Seed: 1, Move: patience})
			if err != nil || !r.HasPassed() || r.Warned > 0 {
				t.Errorf("got %v, %s %v", err, r.Summary(), r.Findings)
			}
			report, err := arena.Run(ctx, arena.Config{
				Format: arena.Duel, Players: []string{"it", "easy"}, Games: 4, Concurrency: 1, MoveTimeout: patience,
				Externals: map[string]arena.External{"it": {Command: "'" + strings.Join(run, "' '") + "'", Stdio: true}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if g := report.Pairings[0]; g.Games != 4 || g.Forfeits.A+g.Forfeits.B+g.Draws > 0 {
				t.Errorf("got %d games, forfeits %+v, %q", g.Games, g.Forfeits, g.Notes)
			}
		})
	}
}
