//go:build slow && linux

package e2e

import (
	"context"
	"flag"
	"testing"
	"time"

	"broadside/bots"
	"broadside/internal/store"
)

var ladderTime = flag.Duration("ladder", 90*time.Second, "how long the programs of TestLadderOfNodes play")

// TestLadderOfNodes checks that each of 20 ladder programs plays at least five others even if the active node is
// killed during the run, and that memory does not grow.
func TestLadderOfNodes(t *testing.T) {
	t.Parallel()
	const programs = 20
	f := startService(t, nodesConfig{Count: 2, Args: []string{"--ladder=on", "--ladder-pause=1s", "--relay-hello=1m"}})
	db, err := store.Open(t.Context(), store.Config{URL: f.Store})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	writer, err := store.Open(t.Context(), store.Config{URL: f.Store})
	if err != nil {
		t.Fatal(err)
	}
	r := &ladderPrograms{t: t, address: func(program int) string { return f.Nodes[program%2].Relay }}
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
	before, _ := measureHeap(t, active)
	time.Sleep(*ladderTime / 4)
	after, _ := measureHeap(t, active)
	t.Logf("heap and stacks of the active node: %.1f MiB, later %.1f MiB", before/(1<<20), after/(1<<20))
	waitUntil(t, "every program has played five others, and three bots have played", func() bool {
		met, _ := r.countOpponents(db.Matches)
		played := 0
		for _, b := range bots.All() {
			if met[b.Name] != nil {
				played++
			}
		}
		return metEnough(met, programs, 5, 10) && played >= 3
	})
	cancel()
	r.work.Wait()
}
