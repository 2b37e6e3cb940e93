//go:build slow && linux

package e2e

import (
	"context"
	"encoding/json"
	"flag"
	"testing"
	"time"

	"broadside/bots"
	"broadside/internal/session"
	"broadside/internal/store"
	"broadside/internal/test/servers"
	"broadside/lobby/ladder"
	"broadside/match"
)

var ladderTime = flag.Duration("ladder", 90*time.Second, "how long the programs of TestLadderOfNodes play")

// activeNode waits until a node is active, and returns it.
func activeNode(t *testing.T, f *servers.Service) (n *servers.Server) {
	t.Helper()
	until(t, "a node is active", func() bool { n = f.Active(t.Context()); return n != nil })
	return n
}

// TestLadderOfNodes lets 20 programs play on the ladder of a service with two nodes and
// kills the active one in between. Every program plays at least five others, the built-in
// bots are rated in the order of their fixed ratings, and memory does not grow.
func TestLadderOfNodes(t *testing.T) {
	t.Parallel()
	const programs = 20
	f := fleetOf(t, servers.Config{Count: 2, Args: []string{"--ladder=on", "--ladder-pause=1s", "--relay-hello=1m"}})
	db, err := store.Open(t.Context(), store.Config{URL: f.Store})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	writer, err := store.Open(t.Context(), store.Config{URL: f.Store})
	if err != nil {
		t.Fatal(err)
	}
	r := &rungs{t: t, address: func(program int) string { return f.Nodes[program%2].Relay }}
	r.register(writer, programs)
	writer.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r.run(ctx)

	time.Sleep(*ladderTime / 2)
	killed := activeNode(t, f)
	killed.Kill()
	activeNode(t, f)
	if err := killed.Launch(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(*ladderTime / 4)
	active := activeNode(t, f)
	before, _ := heap(t, active)
	time.Sleep(*ladderTime / 4)
	after, _ := heap(t, active)
	t.Logf("heap and stacks of the active node: %.1f MiB, later %.1f MiB", before/(1<<20), after/(1<<20))
	until(t, "every program has played five others, and three bots have played", func() bool {
		met, _ := r.opponents(db.Matches)
		played := 0
		for _, b := range bots.All() {
			if met[b.Name] != nil {
				played++
			}
		}
		return enough(met, programs, 5, 10) && played >= 3
	})
	cancel()
	r.work.Wait()

	active = activeNode(t, f)
	active.Kill() // the next active node rates all players from all matches
	next := f.Nodes[0]
	if next == active {
		next = f.Nodes[1]
	}
	if err := next.Ready(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	var l ladder.Report
	ann := newAsker(t, serverOf(next), "ann")
	until(t, "the ladder is rated", func() bool {
		status, out, errs := ann.ask("ladder --json")
		if status != 0 {
			t.Logf("%s", errs)
			return false
		}
		return json.Unmarshal([]byte(out), &l) == nil && !l.Computed.IsZero() && l.Computed.Year() > 1
	})
	checkAnchors(t, l)
}

// checkAnchors compares the computed ratings of built-in bots with their fixed ones: no two
// bots are in the wrong order, unless their intervals overlap.
func checkAnchors(t *testing.T, l ladder.Report) {
	t.Helper()
	games, bots := 0, 0
	for _, p := range l.Players {
		games += p.Games
		if p.Kind == "bot" {
			bots++
		}
		t.Logf("%2d %-10s %-8s rated %.0f, computed %+v, matches %d", p.Place, p.Name, p.Kind, p.Rating.Value, p.Computed, p.Games)
	}
	t.Logf("%d matches", games/2)
	for _, a := range l.Players {
		for _, b := range l.Players {
			if a.Kind != "bot" || b.Kind != "bot" || a.Computed == nil || b.Computed == nil || a.Computed.Low <= b.Computed.High {
				continue
			}
			fixedA, _ := session.BotRating(match.Classic().Name, a.Name)
			fixedB, _ := session.BotRating(match.Classic().Name, b.Name)
			if fixedA < fixedB {
				t.Errorf("%s (%.0f) is rated above %s (%.0f)", a.Name, a.Computed.Value, b.Name, b.Computed.Value)
			}
		}
	}
	if bots < 3 {
		t.Errorf("only %d bots have played", bots)
	}
}
