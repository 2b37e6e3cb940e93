package election

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// deleteEvents deletes the events of a match, as the store does with its result.
func deleteEvents(t *testing.T, tx *sql.Tx, match string) error {
	_, err := tx.ExecContext(t.Context(), "DELETE FROM journal WHERE match = $1", match)
	return err
}

// event returns an event of a match.
func event(match string, seq int) Event {
	return Event{Match: match, Seq: seq, Body: fmt.Appendf(nil, "%s %d", match, seq)}
}

// load calls f with each event in the journal, ordered by match and number.
func load(dsn string, f func(Event)) error {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	rows, _ := conn.Query(ctx, `SELECT match, seq, body FROM journal ORDER BY match, seq`) // ForEachRow returns the error
	var e Event
	_, err = pgx.ForEachRow(rows, []any{&e.Match, &e.Seq, &e.Body}, func() error {
		f(e)
		e.Body = nil // f owns it
		return nil
	})
	return err
}

// checkRows compares the rows of the journal with the number of events of each
// match.
func checkRows(t testing.TB, j *Journal, want map[string]int) {
	t.Helper()
	got := map[string]int{}
	err := load(j.cfg.DSN, func(e Event) {
		if w := event(e.Match, got[e.Match]); e.Seq != w.Seq || string(e.Body) != string(w.Body) {
			t.Errorf("loaded %+v, not %+v", e, w)
		}
		got[e.Match]++
	})
	if err != nil {
		t.Fatal(err)
	}
	for m, n := range want {
		if got[m] != n {
			t.Errorf("match %s has %d events in the journal, not %d", m, got[m], n)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d matches in the journal, not %d", len(got), len(want))
	}
}

func TestJournal(t *testing.T) {
	dsn := newDatabase(t)
	a := activeOf(t, node(t, dsn, "a:1"))
	j := openJournal(t, dsn, a)
	var matches sync.WaitGroup
	want := map[string]int{}
	for i := range 50 {
		m := fmt.Sprint("match", i)
		want[m] = 20
		matches.Go(func() {
			for n := range 10 {
				if err := j.Append(t.Context(), event(m, 2*n), event(m, 2*n+1)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	matches.Wait()
	checkRows(t, j, want)

	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(a.Check(t.Context(), tx), deleteEvents(t, tx, "match7"), tx.Commit()); err != nil {
		t.Fatal(err)
	}
	delete(want, "match7")
	checkRows(t, j, want)

	if err := j.Append(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestEventsThatTheDatabaseRejects(t *testing.T) {
	dsn := newDatabase(t)
	j := openJournal(t, dsn, activeOf(t, node(t, dsn, "a:1")))
	if err := j.Append(t.Context(), event("m", 0)); err != nil {
		t.Fatal(err)
	}
	other := event("m", 0)
	other.Body = []byte("other")
	for _, bad := range []Event{other, event("\x00", 0)} {
		if err := j.Append(t.Context(), bad); err == nil || errors.Is(err, ErrFenced) {
			t.Errorf("%q: %v", bad.Body, err)
		}
	}
	if err := j.Append(t.Context(), event("m", 1)); err != nil {
		t.Error(err)
	}
	checkRows(t, j, map[string]int{"m": 2})
}

// TestRepeatedEvents appends events that are already stored, alone and in groups with
// others.
func TestRepeatedEvents(t *testing.T) {
	dsn := newDatabase(t)
	j := openJournal(t, dsn, activeOf(t, node(t, dsn, "a:1")))
	for range 2 {
		if err := j.Append(t.Context(), event("m", 0), event("m", 1)); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]int{"m": 3}
	var work sync.WaitGroup
	for i := range 40 {
		m := fmt.Sprint("m", i)
		want[m] = 1
		work.Go(func() {
			if err := j.Append(t.Context(), event("m", 1), event("m", 2), event(m, 0)); err != nil {
				t.Error(err)
			}
		})
		work.Go(func() {
			other := event("m", 1)
			other.Body = []byte("other")
			if err := j.Append(t.Context(), other); !errors.Is(err, errOther) {
				t.Errorf("another event in the place of one that is stored: %v", err)
			}
		})
	}
	work.Wait()
	checkRows(t, j, want)
}

func TestFormerActiveNodeCannotWrite(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	p, through := proxyToDatabase(t, dsn)
	a := node(t, through, "a:1")
	first := activeOf(t, a)
	b := node(t, dsn, "b:1")
	p.stall(true, true) // the lock connection; writes below do not go through the proxy
	second := activeOf(t, b)

	j := openJournal(t, dsn, first)
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	check := func(a *Active) error {
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		return a.Check(t.Context(), tx)
	}
	if err := check(second); err != nil {
		t.Errorf("the active node may not write: %v", err)
	}
	// While its lock connection is being replaced, it does not know whether it is
	// still active. It must not write, nor give up.
	if err := check(first); err != ErrFenced {
		t.Errorf("the former active node: %v", err)
	}
	p.stall(false, false)
	if err := j.Append(t.Context(), event("m", 0)); !errors.Is(err, ErrFenced) {
		t.Errorf("the journal of the former active node: %v", err)
	}
	if !isDone(first) {
		t.Error("its period has not ended")
	}
	if err := check(first); err != ErrFenced {
		t.Errorf("the former active node: %v", err)
	}
	checkRows(t, j, map[string]int{})
}

// TestRefusedWriteEndsThePeriod lets another node raise the epoch before the active node
// notices.
func TestRefusedWriteEndsThePeriod(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	e := node(t, dsn, "a:1")
	a := activeOf(t, e)
	j := openJournal(t, dsn, a)
	query(t, dsn, "UPDATE world SET epoch = epoch + 1, token = gen_random_uuid()")
	if err := j.Append(t.Context(), event("m", 0)); err != ErrFenced {
		t.Fatal(err)
	}
	if a.Valid() || !isDone(a) {
		t.Error("the period goes on after a refused write")
	}
	next := activeOf(t, e)
	if next == a || next.current().epoch < 3 {
		t.Errorf("the next period has the fence %+v", next.current())
	}
}

// TestJournalAfterBrokenConnections cuts the journal's connection while it
// writes, each time after some events. Every acknowledged event is stored once, in order.
func TestJournalAfterBrokenConnections(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	a := activeOf(t, node(t, dsn, "a:1"))
	p, through := proxyToDatabase(t, dsn)
	j := openJournal(t, through, a)
	var matches, cutter sync.WaitGroup
	stop := make(chan struct{})
	var acknowledged, cuts atomic.Int64
	cutter.Go(func() {
		for ; ; cuts.Add(1) {
			for next := acknowledged.Load() + 20; acknowledged.Load() < next; {
				select {
				case <-stop:
					return
				case <-time.After(time.Millisecond):
				}
			}
			if cuts.Load()%2 == 0 {
				p.stall(false, true) // so that some groups are stored without an answer
				time.Sleep(3 * time.Millisecond)
			}
			p.cut()
			p.stall(false, false)
		}
	})
	stored := make([]int, 8)
	for i := range stored {
		matches.Go(func() {
			for ; stored[i] < 40 || cuts.Load() < 8; stored[i]++ {
				if err := j.Append(t.Context(), event(fmt.Sprint("m", i), stored[i])); err != nil {
					t.Error(err)
					return
				}
				acknowledged.Add(1)
			}
		})
	}
	matches.Wait()
	close(stop)
	cutter.Wait()
	want := map[string]int{}
	for i, n := range stored {
		want[fmt.Sprint("m", i)] = n
	}
	checkRows(t, openJournal(t, dsn, a), want)
}

// openJournal opens a journal that is closed when the test ends.
func openJournal(t testing.TB, dsn string, a *Active) *Journal {
	j := OpenJournal(Config{DSN: dsn}, a)
	t.Cleanup(j.Close)
	return j
}

func TestClosedJournal(t *testing.T) {
	t.Parallel()
	dsn := newDatabase(t)
	a := activeOf(t, node(t, dsn, "a:1"))
	p, through := proxyToDatabase(t, dsn)
	p.stall(true, true)
	j := OpenJournal(Config{DSN: through}, a)
	done := make(chan error)
	go func() { done <- j.Append(context.Background(), event("m", 0)) }()
	time.Sleep(20 * time.Millisecond) // the result is the same whether the journal has the event yet or not
	j.Close()
	if err := <-done; !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if err := j.Append(t.Context(), event("m", 1)); err != ErrClosed {
		t.Error(err)
	}
}

func BenchmarkJournal(b *testing.B) {
	dsn := newDatabase(b)
	j := openJournal(b, dsn, activeOf(b, node(b, dsn, "a:1")))
	var mu sync.Mutex
	var took []time.Duration
	n := 0
	b.SetParallelism(100)
	b.RunParallel(func(pb *testing.PB) {
		mu.Lock()
		n++
		m := fmt.Sprint(b.N, "-", n)
		mu.Unlock()
		var mine []time.Duration
		for seq := 0; pb.Next(); seq++ {
			began := time.Now()
			if err := j.Append(b.Context(), event(m, seq)); err != nil {
				b.Error(err)
			}
			mine = append(mine, time.Since(began))
		}
		mu.Lock()
		defer mu.Unlock()
		took = append(took, mine...)
	})
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}
