//go:build slow

package election

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"broadside/internal/test/must"
)

// TestManyChangesOfTheActiveNode makes another node active 300 times while every node that
// has been active goes on writing. Nothing that a former active node writes is stored after
// the next one has read the journal, and every acknowledged event is stored.
func TestManyChangesOfTheActiveNode(t *testing.T) {
	const changes, writers = 300, 4
	dsn := newDatabase(t)
	var (
		all          sync.WaitGroup
		acknowledged sync.Map // the number of acknowledged events by match
		refused      atomic.Int64
	)
	var blocked atomic.Pointer[Election] // cannot connect
	var elections []*Election
	for i := range 8 { // eight, because each one waits for some time after it was active
		var self atomic.Pointer[Election]
		e := startElection(Config{DSN: dsn, NodeID: fmt.Sprint("node", i)}, func(ctx context.Context, cfg Config, owner *sync.WaitGroup) (lockConn, error) {
			if e := self.Load(); e != nil && blocked.Load() == e {
				return nil, errBroken
			}
			return dialPostgres(ctx, cfg, owner)
		})
		self.Store(e)
		t.Cleanup(e.Close)
		elections = append(elections, e)
	}
	loaded := map[string]int{} // rows of each match, when they were first read by a later active node
	db := must.Get(sql.Open("pgx", dsn))
	defer db.Close()
	load := func() map[string]int {
		rows := must.Get(db.Query("SELECT match, COUNT(*) FROM journal GROUP BY match"))
		defer rows.Close()
		all := map[string]int{}
		for rows.Next() {
			var match string
			var n int
			must.Do(rows.Scan(&match, &n))
			all[match] = n
		}
		return all
	}
	write := func(a *Active, match string, n int) error {
		tx, err := db.Begin()
		if err != nil {
			return err
		}
		defer tx.Rollback()
		if err := a.Check(context.Background(), tx); err != nil {
			return err
		}
		if _, err := tx.Exec("INSERT INTO journal (match, seq, body) VALUES ($1, $2, '')", match, n); err != nil {
			return err
		}
		return tx.Commit()
	}
	var last *Active
	for change := range changes {
		var a *Active
		waitUntilTrue(t, "for another node to become active", func() bool {
			for _, e := range elections {
				if s := currentState(e).Active; s != nil && s != last {
					a = s
				}
			}
			return a != nil
		})
		for m, n := range load() {
			if before, ok := loaded[m]; ok && before != n {
				t.Fatalf("change %d: match %s of a former active node had %d events when it was read, and has %d now", change, m, before, n)
			}
			loaded[m] = n
		}
		for w := range writers {
			all.Go(func() {
				m := fmt.Sprintf("%d-%d", change, w)
				for n := 0; ; n++ {
					err := write(a, m, n)
					if err != nil {
						if !errors.Is(err, ErrFenced) {
							t.Errorf("%s: %v", m, err)
						}
						refused.Add(1)
						return
					}
					acknowledged.Store(m, n+1)
				}
			})
		}
		time.Sleep(5 * time.Millisecond)
		// The active node's session is ended without its knowledge, so that it is
		// still writing when the next one becomes active.
		last = a
		for _, e := range elections {
			if currentState(e).Active == a {
				blocked.Store(e)
			}
		}
		queryDatabase(t, dsn, "SELECT pg_terminate_backend(l.pid) FROM pg_locks l, world w WHERE l.locktype = 'advisory' AND l.granted AND l.classid = 7411 AND l.objid = w.id::oid")
		waitUntilTrue(t, "for the epoch to change hands", func() bool { return queryDatabase(t, dsn, "SELECT token FROM world") != a.currentFence().token })
		blocked.Store(nil)
	}
	for _, e := range elections {
		e.Close()
	}
	all.Wait()
	rows := load()
	events := 0
	acknowledged.Range(func(m, n any) bool {
		events += n.(int)
		if rows[m.(string)] < n.(int) {
			t.Errorf("match %s: %d events were acknowledged, and %d are stored", m, n, rows[m.(string)])
		}
		return true
	})
	t.Logf("%d changes, %d acknowledged events, %d writers refused", changes, events, refused.Load())
	if refused.Load() != changes*writers || events == 0 {
		t.Error("not every former active node was refused")
	}
}
