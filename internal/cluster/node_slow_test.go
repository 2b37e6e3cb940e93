//go:build slow

package cluster

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/pgtest"
)

func (p *period) closes() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return fmt.Sprint(p.kept)
}

// TestNode checks that both nodes serve sessions through the active node. When that node is
// released, the other one takes over, and sessions at both nodes continue.
func TestNode(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	fine := func() error { return nil }
	one := join(t, dsn, "one", fine)
	until(t, "for the first node", func() bool { return one.Ready() == nil })
	two := join(t, dsn, "two", fine)
	until(t, "for the second node", func() bool { return two.Ready() == nil })
	for _, n := range []*testNode{one, two} {
		until(t, "for both nodes to be known", func() bool {
			id, all := hex.EncodeToString(n.Gateway().id), n.Gateway().Nodes()
			return id != "" && len(all) == 2 && len(all[0].Status) > 0 && string(all[0].Status) != string(all[1].Status)
		})
	}
	var sessions []*remote
	for _, n := range []*testNode{one, two} {
		sessions = append(sessions, open(t, n.Gateway(), fmt.Sprint("session at ", len(sessions))))
	}
	if one.count() != 1 || two.count() != 0 {
		t.Fatalf("the nodes were active %d and %d times", one.count(), two.count())
	}

	// The connection to the database has failed for a moment.
	s := one.State()
	s.Err = errors.New("failed")
	one.election.report(s)
	one.Release()
	if got := one.periods[0].closes(); got != "[true]" {
		t.Errorf("the period of the released node was closed with %s", got)
	}
	for i, r := range sessions {
		do(t, r, fmt.Sprint("action ", i))
	}
	if one.count() != 1 || two.count() != 1 || one.Ready() != nil || two.Ready() != nil {
		t.Errorf("after the release: active %d and %d times, %v, %v", one.count(), two.count(), one.Ready(), two.Ready())
	}

	// A node whose epoch is over discards its state.
	query(t, dsn, "UPDATE world SET token = gen_random_uuid(), epoch = epoch + 1")
	until(t, "for the end of the second period", func() bool { return two.periods[0].closes() != "[]" })
	if got := two.periods[0].closes(); got != "[false]" {
		t.Errorf("the lost period was closed with %s", got)
	}
	until(t, "for the next period", func() bool { return two.count() == 2 && sessions[0].isAttached() })
}

// TestPause checks that, while the database is unreachable, the active node keeps its
// sessions for the time of Pause. Then it ends the period and the sessions. When the
// database is back, it opens a new period.
func TestPause(t *testing.T) {
	t.Parallel()
	database, dsn := proxyToDatabase(t, newDatabase(t))
	n := joinFor(t, dsn, "one", 4*time.Second, func() error { return nil })
	until(t, "for the node", func() bool { return n.Ready() == nil })
	s := open(t, n.Gateway(), "ann")
	database.stall(true, true)
	until(t, "for the outage to be noticed", func() bool { return n.State().Err != nil })
	lost := n.State().Lost
	if ready, failed := n.Ready(), s.failed(); (ready != nil || failed != nil) && time.Since(lost) < 4*time.Second {
		t.Errorf("paused: %v, %v", ready, failed)
	}
	<-s.done
	if waited := time.Since(lost); waited < 4*time.Second {
		t.Errorf("the session ended after %v", waited)
	}
	if s.failed() != errRest {
		t.Errorf("the session ended: %v", s.failed())
	}
	until(t, "for the end of the period", func() bool { return n.periods[0].closes() != "[]" })
	if n.Ready() == nil || n.periods[0].closes() != "[false]" {
		t.Errorf("after the pause: %v, %s", n.Ready(), n.periods[0].closes())
	}
	database.stall(false, false)
	until(t, "for the next period", func() bool { return n.count() == 2 && n.Ready() == nil })
}

// TestSingleServerBesideACluster checks that a server outside the cluster and an active
// node never use a database at the same time.
func TestSingleServerBesideACluster(t *testing.T) {
	t.Parallel()
	server := pgtest.Open(t, "") // which is restarted
	dsn := newDatabaseOf(t, server)
	var log bytes.Buffer
	single := store.Config{URL: dsn, Exclusive: true, Log: slog.New(slog.NewTextHandler(&log, nil))}
	p, through := proxyToDatabase(t, dsn)
	a := nodeWith(t, Config{DSN: through, Address: "a:1", slack: slack})
	first := activeOf(t, a)
	play(t, openStore(t, dsn, first, nil), started("m"), happened(t, 1))
	if s, err := store.Open(t.Context(), single); !errors.Is(err, store.ErrInUse) {
		s.Close()
		t.Fatalf("beside an active node: %v", err)
	}

	p.stall(true, true) // until the database has ended the node's session
	var s *store.Store
	until(t, "for the lock", func() (ok bool) {
		var err error
		s, err = store.Open(t.Context(), single)
		return err == nil
	})
	if !strings.Contains(log.String(), "unfinished matches of a cluster") || !strings.Contains(log.String(), "matches=1") {
		t.Errorf("the log is %s", log.String())
	}
	p.stall(false, false)
	until(t, "for the node to notice", func() bool { return isDone(first) })
	time.Sleep(3 * readEvery) // during which the node could take the lock, but must not
	if now := state(a); now.Active != nil || now.Address != "" {
		t.Errorf("beside a single server: %+v", now)
	}
	if err := s.State.Set(t.Context(), "x", "y", ""); err != nil {
		t.Error(err)
	}
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	until(t, "for the lock to be taken again", func() bool { return query(t, dsn, "SELECT COUNT(*)"+lockSQL) == "1" })
	if state(a).Active != nil {
		t.Error("a node has taken the lock of a single server")
	}
	query(t, dsn, "UPDATE world SET token = gen_random_uuid()") // as if another server had used the database in the meantime
	query(t, dsn, "SELECT pg_terminate_backend(pid)"+lockSQL)
	if err := s.State.Set(t.Context(), "x", "z", ""); !errors.Is(err, store.ErrInUse) {
		t.Errorf("a server whose database another one has had: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	activeOf(t, a)
}
