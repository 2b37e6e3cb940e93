// Package examples_test plays whole games with the examples, run by the interpreters of
// their languages.
package examples_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os/exec"
	"strings"
	"testing"
	"time"

	"broadside/bots"
	"broadside/bots/arena"
	"broadside/internal/test/leaks"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/need"
	"broadside/internal/test/parallel"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/audit"
	"broadside/relay"
	"broadside/relay/client"
)

func TestMain(m *testing.M) {
	parallel.AllowWaitingTests()
	leaks.Main(m)
}

// patience ends a test that hangs. It is much longer than all steps of a test take.
const patience = 10 * time.Minute

// clients are the examples that connect to a relay themselves.
var clients = []struct{ name, tool, file string }{
	{"Python", "python3", "client.py"},
}

// TestExamplesPlayInArena checks that every client plays built-in bots without forfeits, nearly always beats
// random shots, and is about as strong as a player that hunts after hits.
func TestExamplesPlayInArena(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tool := need.Tool(t, c.tool)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			const games = 10
			report, err := arena.Run(ctx, arena.Config{
				Format: arena.Gauntlet, Players: []string{"it", "easy", "prolog"}, Games: games, Concurrency: 1,
				Externals:      map[string]arena.External{"it": {Command: "'" + tool + "' " + c.file}},
				ConnectTimeout: patience, MoveTimeout: patience,
			})
			if err != nil {
				t.Fatal(err)
			}
			for i, least := range []int64{games - 1, 0} {
				p := report.Pairings[i]
				if p.Games != games || p.Forfeits.A+p.Forfeits.B+p.Draws > 0 || p.Wins < least || p.Sides[0].Mean > 75 {
					t.Errorf("against %s: won %d of %d games with %.1f shots, forfeits %+v, %q", p.B, p.Wins, p.Games, p.Sides[0].Mean, p.Forfeits, p.Notes)
				}
			}
		})
	}
}

// TestExamplesPlayOnRelay checks that every client plays a series on a server's relay.
func TestExamplesPlayOnRelay(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			tool := need.Tool(t, c.tool)
			l := lobbytest.Open(lobby.Config{Audit: audit.Forfeit})
			defer l.Close()
			server := relay.New(relay.Config{Host: &session.Host{Lobby: l}, HelloDelay: 250 * time.Millisecond})
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			served := make(chan error, 1)
			go func() { served <- server.Serve(listener) }()
			defer func() {
				listener.Close()
				if err := server.Shutdown(context.Background()); err != nil {
					t.Error(err)
				}
				if err := <-served; err != nil {
					t.Error(err)
				}
			}()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			const games = 3
			cmd := exec.CommandContext(ctx, tool, c.file, listener.Addr().String(), fmt.Sprint(games))
			var out strings.Builder
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			won, lost := 0, 0
			for n := range uint64(games) {
				bot, err := bots.New("hard", bots.Config{Rules: match.Classic(), Rand: rand.New(rand.NewPCG(n, 1))})
				if err != nil {
					t.Fatal(err)
				}
				outcome, err := client.Play(ctx, listener.Addr().String(), match.Classic(), bot)
				if err != nil {
					t.Error(err)
				}
				if outcome.Won {
					lost++
				} else {
					won++
				}
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("%v\n%s", err, out.String())
			}
			want := fmt.Sprintf("End of game. %s won %d times and lost %d times.\n", c.name, won, lost)
			if out.String() != want {
				t.Errorf("got output %q, want %q", out.String(), want)
			}
		})
	}
}

// TestExamplesReportMissingRelay checks the clients' errors if no server listens at their address.
func TestExamplesReportMissingRelay(t *testing.T) {
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			tool := need.Tool(t, c.tool)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			for _, args := range [][]string{{"2"}, {"2", "hasbro"}} {
				out, err := exec.CommandContext(ctx, tool, append([]string{c.file, "127.0.0.1:1"}, args...)...).CombinedOutput()
				if err == nil || !strings.HasPrefix(string(out), "no relay at 127.0.0.1:1") || strings.Count(string(out), "\n") != 1 {
					t.Errorf("%v: %v, output %q", args, err, out)
				}
			}
		})
	}
}
