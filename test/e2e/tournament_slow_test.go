//go:build slow && linux

package e2e

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/bots"
	"broadside/match"
	"broadside/relay/client"
)

// unhurried is a player that takes some time for each shot.
type unhurried struct{ client.Player }

// Fire implements [client.Player].
func (p unhurried) Fire(chart *match.Chart) match.Cell {
	time.Sleep(10 * time.Millisecond)
	return p.Player.Fire(chart)
}

// TestTournamentOfNodes checks that a round robin of six programs continues when the active node is killed in the
// second round, and that one match decides each pairing.
func TestTournamentOfNodes(t *testing.T) {
	t.Parallel()
	const programs = 6
	f := startService(t, nodesConfig{Count: 2, Args: []string{"--relay-hello=1m"}})
	active := activeNode(t, f)
	other := f.Nodes[0]
	if other == active {
		other = f.Nodes[1]
	}
	ann := newSSHClient(t, newTestServer(other), "ann")
	ann.mustRun("register ann")
	code := ann.mustRun("tournament new Class 5b --format round-robin")
	ctx, cancel := context.WithCancel(t.Context())
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	for i := range programs {
		name := "squid" + programLetters(i)
		token := ann.mustRun("token new " + name)
		ann.mustRun("tournament join " + code + " " + name)
		work.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(i), 1))
			for ctx.Err() == nil {
				err := client.PlaySeries(ctx, f.Nodes[i%2].Relay, match.Classic(), client.Directives{
					Token: token, Versus: "cup " + code, Games: programs,
				}, func() (client.Player, error) {
					p, err := bots.New(strategies[i%len(strategies)], bots.Config{Rules: match.Classic(), Rand: rng})
					return unhurried{p}, err
				}, func(client.Outcome) {})
				if err != nil && strings.Contains(err.Error(), "the tournament is over") {
					return
				}
				select {
				case <-time.After(200 * time.Millisecond):
				case <-ctx.Done():
				}
			}
		})
	}

	type game struct{ First, Second, Ending, Match string }
	var tournament struct {
		Phase string
		Games []game
	}
	read := func() (decided int) {
		status, out, _ := ann.run("tournament export --json " + code)
		tournament.Games = nil
		if status != 0 || json.Unmarshal([]byte(out), &tournament) != nil {
			return 0
		}
		for _, g := range tournament.Games {
			if g.Ending != "" {
				decided++
			}
		}
		return decided
	}
	ann.mustRun("tournament start " + code)
	waitUntil(t, "a match of the second round is over", func() bool { return read() > programs/2 })
	if tournament.Phase == "over" {
		t.Fatal("the tournament is over before a node is killed")
	}
	active.Kill()
	if err := active.Launch(); err != nil {
		t.Fatal(err)
	}
	waitUntil(t, "the tournament is over", func() bool { read(); return tournament.Phase == "over" })
	pairs, matches := map[[2]string]bool{}, map[string]bool{}
	for _, g := range tournament.Games {
		if g.Ending != "played" || g.Match == "" || matches[g.Match] {
			t.Errorf("a game is %+v", g)
			continue
		}
		matches[g.Match], pairs[[2]string{min(g.First, g.Second), max(g.First, g.Second)}] = true, true
		ann.mustRun("record " + g.Match)
	}
	if want := programs * (programs - 1) / 2; len(tournament.Games) != want || len(pairs) != want {
		t.Errorf("%d games between %d pairs, want %d", len(tournament.Games), len(pairs), want)
	}
}

// mustRun runs a command line that must succeed, and returns its output without spaces around it.
func (a sshClient) mustRun(line string) string {
	a.t.Helper()
	status, out, errs := a.run(line)
	if status != 0 {
		a.t.Fatalf("%s: status %d, output %s, errors %q", line, status, out, errs)
	}
	return strings.TrimSpace(out)
}
