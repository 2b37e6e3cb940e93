package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/time/rate"

	"broadside/internal/store"
)

const (
	maxGroup   = 4096                   // events that make a group complete
	retryPause = 100 * time.Millisecond // between attempts to store a group
)

// Event is what happened in a match at once. Match and Seq identify it.
type Event = store.Entry

// Journal stores the events of running matches while this node is active. All
// methods may be called from any goroutine.
//
// One statement stores a group: all events that arrived while the previous group
// was being stored. While the database cannot be reached, the journal retries. The
// transaction that stores the result of a match deletes its events (DELETE FROM
// journal WHERE match = $1).
type Journal struct {
	cfg    Config
	active *Active
	ctx    context.Context // ends when the journal is closed
	cancel context.CancelFunc
	done   sync.WaitGroup
	warn   rate.Sometimes
	wake   chan struct{} // capacity 1: queue is not empty
	conn   *pgx.Conn     // owned by run; nil: not connected

	mu    sync.Mutex
	queue []journalWrite // in order; guarded by mu
}

// journalWrite holds what one caller appends.
type journalWrite struct {
	events []Event
	result chan error // capacity 1; nil: the caller does not wait
}

// OpenJournal returns a journal for a period during which this node is active.
// The configuration is that of the election.
func OpenJournal(cfg Config, active *Active) *Journal {
	j := &Journal{
		cfg: cfg.withDefaults(), active: active, wake: make(chan struct{}, 1),
		warn: rate.Sometimes{First: 1, Interval: 10 * time.Second},
	}
	j.ctx, j.cancel = context.WithCancel(context.Background())
	j.done.Go(j.run)
	return j
}

// Close stores what was posted, if it can be stored at once, and ends the journal. Calls
// of [Journal.Append] that have not returned yet return [ErrClosed], so the caller waits
// for them first.
func (j *Journal) Close() {
	last := journalWrite{result: make(chan error, 1)}
	j.enqueue(last)
	select {
	case <-last.result:
	case <-j.active.Done():
	case <-time.After(closeTime):
	}
	j.cancel()
	j.done.Wait()
}

// Append stores events and waits until they are durable, and all that were posted before
// as well; it may be called without events. Events of one match
// must be appended in the order of Seq. After [ErrFenced], this node is no longer
// active and nothing was stored. After any other error, including that of ctx,
// the events may have been stored; appending the same events again is then safe.
// If the database rejects an event, the whole group fails.
func (j *Journal) Append(ctx context.Context, events ...Event) error {
	result := make(chan error, 1)
	j.enqueue(journalWrite{events, result})
	select {
	case err := <-result:
		return err
	case <-j.ctx.Done():
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Post stores events without waiting. Events that are appended or posted later are
// stored no earlier.
func (j *Journal) Post(events ...Event) { j.enqueue(journalWrite{events: events}) }

func (j *Journal) enqueue(w journalWrite) {
	j.mu.Lock()
	j.queue = append(j.queue, w)
	j.mu.Unlock()
	wake(j.wake)
}

// take returns the next group. It is empty if nothing is to be stored.
func (j *Journal) take() (group []journalWrite, events []Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := 0
	for n < len(j.queue) && len(events) < maxGroup {
		events = append(events, j.queue[n].events...)
		n++
	}
	group, j.queue = j.queue[:n:n], j.queue[n:]
	return group, events
}

// Load calls f with each stored event of the world, ordered by match and number.
// Called after this node has become active, it sees everything that former active
// nodes have stored, and they can add nothing.
func (j *Journal) Load(ctx context.Context, f func(Event) error) error {
	conn, err := connect(ctx, j.cfg, "", &j.done)
	if err != nil {
		return fmt.Errorf("loading the journal: %w", err)
	}
	defer closeConn(conn)
	rows, _ := conn.Query(ctx, loadSQL, j.cfg.World) // ForEachRow returns the error
	var e Event
	_, err = pgx.ForEachRow(rows, []any{&e.Match, &e.Seq, &e.At, &e.Body}, func() error {
		err := f(e)
		e.Body = nil // f owns it
		return err
	})
	if err != nil {
		return fmt.Errorf("loading the journal: %w", err)
	}
	return nil
}

func (j *Journal) run() {
	defer j.disconnect()
	for j.ctx.Err() == nil {
		group, events := j.take()
		if len(group) == 0 {
			select {
			case <-j.wake:
			case <-j.ctx.Done():
			}
			continue
		}
		others, err := j.store(events)
		n := 0
		for _, w := range group {
			own := err
			if slices.ContainsFunc(others, func(i int) bool { return n <= i && i < n+len(w.events) }) {
				own = errOther
			}
			n += len(w.events)
			switch {
			case w.result != nil:
				w.result <- own
			case own != nil && j.ctx.Err() == nil:
				j.cfg.Log.Error("an event of a match was not stored", "match", w.events[0].Match, "error", own)
			}
		}
	}
}

// errOther is returned for an event whose match and number another event has.
var errOther = errors.New("writing the journal: another event is already there")

// store writes a group, however often the connection breaks. It returns the indices of
// events that were not stored because others are there.
func (j *Journal) store(events []Event) (others []int, err error) {
	began := time.Now()
	for {
		f := j.active.current()
		mine, kept, err := j.write(f, events)
		if err == nil && mine > 0 && kept < len(events) { // some are there already
			others, err = j.compare(events)
		}
		switch {
		case err == nil && mine > 0:
			if j.cfg.Stored != nil {
				j.cfg.Stored(time.Since(began))
			}
			return others, nil
		case err == nil:
			err = ErrFenced
			j.active.refused(f)
		case refusedData(err):
			return nil, fmt.Errorf("writing the journal: %w", err)
		}
		j.disconnect()
		j.warn.Do(func() { j.cfg.Log.Warn("cannot write the journal; retrying", "error", err) })
		select {
		case <-time.After(retryPause):
		case <-j.active.Done():
			return nil, ErrFenced
		case <-j.ctx.Done():
			return nil, ErrClosed
		}
	}
}

// write makes one attempt to store a group. It returns how many rows the fence
// matched (0 or 1) and how many events were not there before.
func (j *Journal) write(f fence, events []Event) (mine, kept int, err error) {
	if j.conn == nil {
		if j.conn, err = connect(j.ctx, j.cfg, journalOptions, &j.done); err != nil {
			return 0, 0, err
		}
	}
	matches, numbers, times, bodies := columns(events)
	ctx, cancel := context.WithTimeout(j.ctx, statementTimeout)
	defer cancel()
	err = j.conn.QueryRow(ctx, appendSQL, f.world, f.epoch, f.token, matches, numbers, times, bodies).Scan(&mine, &kept)
	return mine, kept, err
}

// compare returns the indices of events that differ from those in their places.
func (j *Journal) compare(events []Event) ([]int, error) {
	matches, numbers, _, bodies := columns(events)
	ctx, cancel := context.WithTimeout(j.ctx, statementTimeout)
	defer cancel()
	rows, _ := j.conn.Query(ctx, compareSQL, matches, numbers, bodies) // CollectRows returns the error
	return pgx.CollectRows(rows, pgx.RowTo[int])
}

func columns(events []Event) (matches []string, numbers []int, times []time.Time, bodies [][]byte) {
	for _, e := range events {
		matches, numbers, times, bodies = append(matches, e.Match), append(numbers, e.Seq), append(times, e.At), append(bodies, e.Body)
	}
	return matches, numbers, times, bodies
}

// refusedData reports whether the database rejected the data or the statement (data
// exception, constraint violation, syntax error or missing right), so that
// repeating it is useless.
func refusedData(err error) bool {
	var e *pgconn.PgError
	return errors.As(err, &e) && len(e.Code) == 5 && slices.Contains([]string{"22", "23", "42"}, e.Code[:2])
}

func (j *Journal) disconnect() {
	if j.conn != nil {
		closeConn(j.conn)
	}
	j.conn = nil
}
