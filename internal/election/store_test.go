package election

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/match"
	"broadside/match/audit"
)

// openStore opens the store of a period during which a node is active.
func openStore(t testing.TB, dsn string, a *Active, log *slog.Logger) *store.Store {
	t.Helper()
	return openAny(t, store.Config{URL: dsn, Fence: a, Journal: openJournal(t, dsn, a), Log: log})
}

// openAny opens a store, and closes it at the end of the test.
func openAny(t testing.TB, cfg store.Config) *store.Store {
	t.Helper()
	var s *store.Store
	var err error
	until(t, "for the store to connect, which a busy machine delays", func() bool {
		s, err = store.Open(t.Context(), cfg)
		return !errors.Is(err, store.ErrUnreachable)
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// started returns a running match between two programs without accounts.
func started(id string) store.RunningMatch {
	seats := [2]store.Seat{{Name: "ann", Kind: store.Program}, {Name: "bob", Kind: store.Program}}
	return store.RunningMatch{ID: id, Rules: match.Classic(), Started: time.UnixMicro(1_000_000), Seats: seats, Details: json.RawMessage(`{"x":1}`)}
}

// happened returns the events of a match between programs in groups, as the referee stores
// them: one group when each side is ready, then one for each shot and one for its answer.
func happened(t testing.TB, shots int) (groups [][]match.Event) {
	t.Helper()
	g := match.NewGame(match.Classic(), audit.Flag)
	apply := func(c match.Command) {
		events, err := g.Apply(c)
		if err != nil {
			t.Fatal(err)
		}
		groups = append(groups, events)
	}
	apply(match.Keep(match.First))
	apply(match.Keep(match.Second))
	for n := range shots {
		c := match.At(n/2%10, n/20)
		side := g.ToAct()
		apply(match.Fire(side, c))
		apply(match.Answer(side.Other(), c, match.Water))
	}
	return groups
}

// play stores the start of a match and its events, and returns all events.
func play(t testing.TB, s *store.Store, r store.RunningMatch, groups [][]match.Event) (all []match.Event) {
	t.Helper()
	if err := s.Running.Begin(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	for _, events := range groups {
		if err := s.Running.Append(t.Context(), r.ID, len(all), events); err != nil {
			t.Fatal(err)
		}
		all = append(all, events...)
	}
	return all
}

// TestStoreOfACluster follows running matches from one active node to the next, up
// to their end.
func TestStoreOfACluster(t *testing.T) {
	dsn := newDatabase(t)
	single, err := store.Open(t.Context(), store.Config{URL: dsn}) // before there was a cluster
	if err != nil {
		t.Fatal(err)
	}
	groups := happened(t, 6)
	before := len(play(t, single, started("old"), groups[:5]))
	if err := single.Close(); err != nil {
		t.Fatal(err)
	}

	a := node(t, dsn, "a:1")
	s := openStore(t, dsn, activeOf(t, a), nil)
	want := started("new")
	want.Events = play(t, s, want, groups)
	if err := s.Running.Append(t.Context(), "old", before, groups[5]); err != nil {
		t.Fatal(err)
	}
	for id, r := range map[string]store.RunningMatch{"done": started("done"), "forgotten": started("forgotten")} {
		if r.Events = groups[0]; s.Running.Begin(t.Context(), r) != nil {
			t.Fatal(id)
		}
	}
	if err := s.Running.Forget(t.Context(), "forgotten"); err != nil {
		t.Error(err)
	}
	over := store.Match{Summary: store.Summary{ID: "done", Started: want.Started, Winner: match.Nobody, Reason: match.Closed, Seats: want.Seats}, Rules: want.Rules, Events: groups[0]}
	if _, err := s.Matches.Finish(t.Context(), over); err != nil {
		t.Fatal(err)
	}
	if rows := query(t, dsn, "SELECT string_agg(DISTINCT match, ' ' ORDER BY match) FROM journal"); rows != "new old" {
		t.Errorf("the journal has events of: %s", rows)
	}
	// Rows that a broken connection may leave behind.
	if err := openJournal(t, dsn, state(a).Active).Append(t.Context(), event("done", 7), event("nowhere", 7)); err != nil {
		t.Fatal(err)
	}
	a.Close()

	var log bytes.Buffer
	s = openStore(t, dsn, activeOf(t, node(t, dsn, "b:1")), slog.New(slog.NewTextHandler(&log, nil)))
	got, err := s.Running.List(t.Context())
	if err != nil || len(got) != 2 {
		t.Fatalf("%d running matches, %v", len(got), err)
	}
	if got[0].ID != "new" || !reflect.DeepEqual(got[0], want) {
		t.Errorf("the match of the cluster is\n%+v, want\n%+v", got[0], want)
	}
	if r := got[1]; r.ID != "old" || len(r.Events) != before+len(groups[5]) {
		t.Errorf("the match from before: %+v", r)
	}
	if _, err := match.Replay(got[1].Rules, audit.Flag, got[1].Events); err != nil {
		t.Error(err)
	}
	if text := log.String(); !strings.Contains(text, "nowhere") || strings.Contains(text, "match=done") {
		t.Errorf("the log is %s", text)
	}
	if n := query(t, dsn, "SELECT COUNT(*) FROM journal WHERE match = 'done'"); n != "0" {
		t.Errorf("the journal has %s rows of a match that is stored", n)
	}
}

// TestFencedStore lets a node continue to write after another one has become active. No
// such change is stored after the next node has read the database, and all acknowledged
// changes are stored.
func TestFencedStore(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	p, through := proxyToDatabase(t, dsn)
	first := activeOf(t, nodeWith(t, Config{DSN: through, Address: "a:1", slack: slack}))
	former := openStore(t, dsn, first, nil)
	b := nodeWith(t, Config{DSN: dsn, Address: "b:1", slack: slack})
	until(t, "for b to see a", func() bool { return state(b).Address == "a:1" })
	if err := former.Running.Begin(t.Context(), started("m")); err != nil {
		t.Fatal(err)
	}
	p.stall(true, true) // the lock connection; the store's do not go through the proxy

	changes, appends := make(chan int, 1), make(chan int, 1) // acknowledged ones
	groups := happened(t, 90)
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
		n, events := 0, 0
		for done(func() error { return former.Running.Append(t.Context(), "m", events, groups[n%len(groups)]) }) {
			events += len(groups[n%len(groups)])
			n++
		}
		appends <- n
	}()
	until(t, "for both to be stored", func() bool {
		return query(t, dsn, "SELECT (SELECT COUNT(*) FROM state WHERE name LIKE 'n%') >= 50 AND (SELECT COUNT(*) FROM journal) >= 50") == "t"
	})
	query(t, dsn, "SELECT pg_terminate_backend(pid)"+lockSQL)
	second := activeOf(t, b)
	next := openStore(t, dsn, second, nil)
	if _, err := next.Running.List(t.Context()); err != nil {
		t.Fatal(err)
	}
	type rows struct{ changes, appends int }
	count := func() (r rows) {
		text := query(t, dsn, "SELECT (SELECT COUNT(*) FROM state WHERE name LIKE 'n%') || ' ' || (SELECT COUNT(*) FROM journal) - 1") // without the match's begin
		if _, err := fmt.Sscan(text, &r.changes, &r.appends); err != nil {
			t.Fatal(err)
		}
		return r
	}
	read := count()
	time.Sleep(100 * time.Millisecond) // the former active node does not know yet
	p.stall(false, false)
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

// TestStoreGoesOnAfterARestart restarts PostgreSQL under an active node, which keeps
// its role.
func TestStoreGoesOnAfterARestart(t *testing.T) {
	dsn := newDatabase(t)
	e := node(t, dsn, "a:1")
	a := activeOf(t, e)
	s := openStore(t, dsn, a, nil)
	groups := happened(t, 20)
	done := make(chan error)
	go func() {
		err, n := s.Running.Begin(t.Context(), started("m")), 0
		for i := 0; err == nil && i < len(groups); i++ {
			err = s.Running.Append(t.Context(), "m", n, groups[i])
			n += len(groups[i])
			if i == 5 {
				done <- err
			}
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if err := database.Restart(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	until(t, "for the role to be resumed", a.Valid)
	until(t, "for a change to be stored", func() bool { return s.State.Set(t.Context(), "x", "y", "") == nil })
	if r, err := s.Running.List(t.Context()); err != nil || len(r) != 1 || len(r[0].Events) != 2*20+len(groups[0])+len(groups[1]) {
		t.Errorf("%+v, %v", r, err)
	}
	if state(e).Active != a {
		t.Error("the node lost its role")
	}
}

// BenchmarkStoredGroup stores shots one after another. Each shot is a group by itself.
func BenchmarkStoredGroup(b *testing.B) {
	dsn := newDatabase(b)
	s := openStore(b, dsn, activeOf(b, node(b, dsn, "a:1")), nil)
	if err := s.Running.Begin(b.Context(), started("m")); err != nil {
		b.Fatal(err)
	}
	shot := happened(b, 1)[2]
	for n := 0; b.Loop(); n++ {
		if err := s.Running.Append(b.Context(), "m", n, shot); err != nil {
			b.Fatal(err)
		}
	}
}
