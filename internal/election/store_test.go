package election

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/match"
)

// openStore opens the store of a period during which a node is active.
func openStore(t testing.TB, dsn string, a *Active) *store.Store {
	t.Helper()
	var s *store.Store
	var err error
	waitUntilTrue(t, "for the store to connect, which a busy machine delays", func() bool {
		s, err = store.Open(t.Context(), store.Config{URL: dsn, Fence: a})
		return !errors.Is(err, store.ErrUnreachable)
	})
	must.Do(err)
	t.Cleanup(func() {
		must.Do(s.Close())
	})
	return s
}

var (
	// started is a running match between two programs without accounts, and shot an event of it.
	started = store.RunningMatch{ID: "m", Rules: match.Classic(), Started: time.UnixMicro(1_000_000)}
	shot    = []match.Event{{Kind: match.ShotFired, Cell: match.NewCell(1, 2)}}
)

// TestFencedStore lets a node continue to write after another one has become active. No
// such change is stored after the next node has read the database, and all acknowledged
// changes are stored.
func TestFencedStore(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	p, through := proxyToDatabase(t, dsn)
	first := waitForActive(t, startNodeWith(t, Config{DSN: through, NodeID: "a:1", timeScale: slack}))
	former := openStore(t, dsn, first)
	b := startNodeWith(t, Config{DSN: dsn, NodeID: "b:1", timeScale: slack})
	waitUntilTrue(t, "for b to see a", func() bool { return currentState(b).ActiveID == "a:1" })
	must.Do(former.Running.Add(t.Context(), started))
	p.stall(true) // the lock connection; the store's do not go through the proxy

	changes, appends := make(chan int, 1), make(chan int, 1) // acknowledged ones
	// done repeats a change until it is stored or refused: on a busy machine, the database ends
	// connections.
	done := func(change func() error) bool {
		err := change()
		for err != nil && !errors.Is(err, store.ErrFenced) && t.Context().Err() == nil {
			t.Log(err)
			err = change()
		}
		return err == nil
	}
	go func() {
		n := 0
		for done(func() error { return former.State.Set(t.Context(), fmt.Sprint("n", n), "x", "") }) {
			n++
		}
		changes <- n
	}()
	go func() {
		n := 0
		for done(func() error { return former.Running.AppendEvents(t.Context(), "m", n, shot) }) {
			n++
		}
		appends <- n
	}()
	waitUntilTrue(t, "for both to be stored", func() bool {
		return queryDatabase(t, dsn, "SELECT (SELECT COUNT(*) FROM state WHERE name LIKE 'n%') >= 50 AND (SELECT COUNT(*) FROM journal) >= 50") == "t"
	})
	queryDatabase(t, dsn, "SELECT pg_terminate_backend(pid)"+lockSQL)
	second := waitForActive(t, b)
	next := openStore(t, dsn, second)
	must.Get(next.Running.List(t.Context()))
	type rows struct{ changes, appends int }
	count := func() (r rows) {
		text := queryDatabase(t, dsn, "SELECT (SELECT COUNT(*) FROM state WHERE name LIKE 'n%') || ' ' || (SELECT COUNT(*) FROM journal) - 1") // without the match's begin
		must.Get(fmt.Sscan(text, &r.changes, &r.appends))
		return r
	}
	read := count()
	time.Sleep(100 * time.Millisecond) // the former active node does not know yet
	p.stall(false)
	acknowledged := rows{<-changes, <-appends}
	if now := count(); now != read {
		t.Errorf("the next active node read %+v, and now there are %+v", read, now)
	}
	// The last one may be stored without an answer, if its connection ended.
	if c, a := read.changes-acknowledged.changes, read.appends-acknowledged.appends; c < 0 || c > 1 || a < 0 || a > 1 {
		t.Errorf("%+v are stored, and %+v were acknowledged", read, acknowledged)
	}
	// From then on, a change fails at once, without the database.
	p.cut()
	began := time.Now()
	if err := former.State.Set(t.Context(), "n", "x", ""); !errors.Is(err, store.ErrFenced) {
		t.Error(err)
	}
	t.Logf("%+v; refused in %v", read, time.Since(began))
	if err := next.State.Set(t.Context(), "n", "x", ""); err != nil {
		t.Errorf("the active node: %v", err)
	}
}

// TestRestartOfTheDatabaseKeepsTheActiveNode restarts PostgreSQL under an active node, which keeps its
// role, and continues to write.
func TestRestartOfTheDatabaseKeepsTheActiveNode(t *testing.T) {
	dsn := newDatabase(t)
	e := startNodeWith(t, Config{DSN: dsn, NodeID: "a:1", timeScale: slack})
	a := waitForActive(t, e)
	b := startNodeWith(t, Config{DSN: dsn, NodeID: "b:1", timeScale: slack})
	waitUntilTrue(t, "for b to see a", func() bool { return currentState(b).ActiveID == "a:1" })
	s := openStore(t, dsn, a)
	must.Do(s.Running.Add(t.Context(), started))
	const restarts = 3
	for n := range restarts {
		epoch := a.currentFence().epoch
		must.Do(database.Restart())
		waitUntilTrue(t, "for events to be stored", func() bool { return s.Running.AppendEvents(t.Context(), "m", n, shot) == nil })
		waitUntilTrue(t, "for the role to be resumed", func() bool { return a.currentFence().epoch > epoch && a.CanAnswer() })
	}
	waitUntilTrue(t, "for a change to be stored", func() bool { return s.State.Set(t.Context(), "x", "y", "") == nil })
	if r, err := s.Running.List(t.Context()); err != nil || len(r) != 1 || len(r[0].Events) != restarts {
		t.Errorf("%+v, %v", r, err)
	}
	if currentState(e).Active != a || currentState(b).Active != nil {
		t.Error("the active role has moved")
	}
	waitUntilTrue(t, "for b to see the newest epoch", func() bool { return currentState(b).Epoch == a.currentFence().epoch && currentState(b).Err == nil })
}
