package election

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
	"broadside/match/live"
)

const (
	maxGroup   = 4096                   // number of events that completes a group
	retryPause = 100 * time.Millisecond // between attempts to store a group
)

// Event is a step of a match. Match and Seq identify it.
type Event = store.Entry

// Journal stores the events of running matches while this node is active. All methods may
// be called from any goroutine.
//
// One statement stores a group: all events that arrived while the previous group was
// being stored. The journal retries while the database is unreachable. The transaction
// that stores the result of a match deletes the match's events (DELETE FROM journal WHERE
// match = $1).
type Journal struct {
	cfg    Config
	active *Active
	ctx    context.Context // ends when the journal is closed
	cancel context.CancelFunc
	done   sync.WaitGroup
	warn   rate.Sometimes
	wake   live.Signal // queue is not empty
	conn   *pgx.Conn   // owned by run; nil: not connected

	mu    sync.Mutex
	queue []journalWrite // in order; guarded by mu
}

// journalWrite holds what one caller appends.
type journalWrite struct {
	events []Event
	result chan error // capacity 1
}

// OpenJournal returns a journal for a period in which this node is active. cfg is that of
// the election.
func OpenJournal(cfg Config, active *Active) *Journal {
	j := &Journal{
		cfg: cfg.withDefaults(), active: active, wake: live.NewSignal(),
		warn: rate.Sometimes{First: 1, Interval: 10 * time.Second},
	}
	j.ctx, j.cancel = context.WithCancel(context.Background())
	j.done.Go(j.run)
	return j
}

// Close ends the journal. Pending calls of [Journal.Append] return [ErrClosed], so wait for
// them before calling Close.
func (j *Journal) Close() {
	j.cancel()
	j.done.Wait()
}

// Append stores events and waits until they are durable. Append the events of a match in the
// order of Seq.
// After [ErrFenced], this node is no longer active and no events were stored. After any
// other error, including ctx's, the events may have been stored; it is then safe to
// append the same events again. If the database rejects an event, the whole group fails.
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

func (j *Journal) enqueue(w journalWrite) {
	j.mu.Lock()
	j.queue = append(j.queue, w)
	j.mu.Unlock()
	j.wake.Send()
}

// nextGroup returns the next group, which is empty if there are no events to store.
func (j *Journal) nextGroup() (group []journalWrite, events []Event) {
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

func (j *Journal) run() {
	defer j.disconnect()
	for j.ctx.Err() == nil {
		group, events := j.nextGroup()
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
			w.result <- own
		}
	}
}

// errOther is returned for an event if a different event is stored with its match and
// number.
var errOther = errors.New("writing the journal: another event is already there")

// store writes a group, reconnecting as often as necessary. It returns the indices of
// events that were not stored because different events are in their places.
func (j *Journal) store(events []Event) (others []int, err error) {
	began := time.Now()
	for {
		f := j.active.current()
		mine, kept, err := j.write(f, events)
		if err == nil && mine > 0 && kept < len(events) { // some events were already stored
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

// write makes one attempt to store a group. It returns how many rows the fence matched (0
// or 1) and how many events were newly stored.
func (j *Journal) write(f fence, events []Event) (mine, kept int, err error) {
	if j.conn == nil {
		if j.conn, err = connect(j.ctx, j.cfg, journalOptions, &j.done); err != nil {
			return 0, 0, err
		}
	}
	matches, numbers, bodies := columns(events)
	ctx, cancel := context.WithTimeout(j.ctx, statementTimeout)
	defer cancel()
	err = j.conn.QueryRow(ctx, appendSQL, f.world, f.epoch, f.token, matches, numbers, bodies).Scan(&mine, &kept)
	return mine, kept, err
}

// compare returns the indices of events that differ from the stored events with the same
// number.
func (j *Journal) compare(events []Event) ([]int, error) {
	matches, numbers, bodies := columns(events)
	ctx, cancel := context.WithTimeout(j.ctx, statementTimeout)
	defer cancel()
	rows, _ := j.conn.Query(ctx, compareSQL, matches, numbers, bodies) // CollectRows returns the error
	return pgx.CollectRows(rows, pgx.RowTo[int])
}

func columns(events []Event) (matches []string, numbers []int, bodies [][]byte) {
	for _, e := range events {
		matches, numbers, bodies = append(matches, e.Match), append(numbers, e.Seq), append(bodies, e.Body)
	}
	return matches, numbers, bodies
}

// refusedData reports whether the database rejected the data or the statement (data
// exception, constraint violation, syntax error or missing privilege), so that a retry
// would fail as well.
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
