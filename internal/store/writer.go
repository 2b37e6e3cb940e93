package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// change is what a caller wants written. The writer sends what came of it to
// done, which never blocks.
type change struct {
	ctx  context.Context // the caller's
	do   func(*tx) error
	done chan error // capacity 1
}

// maxBatch bounds how many changes share a transaction, so that one that comes
// late in a crowd does not wait for all of the crowd twice.
const maxBatch = 256

// change has a change written and waits for it to be on disk. What do returns
// as an error takes back what it did. It runs on the writer's goroutine, and
// on an error of change it may still run: what it sets may only be read after
// success.
func (s *Store) change(ctx context.Context, do func(*tx) error) error {
	if s.isFenced() {
		return ErrFenced
	}
	c := &change{ctx: ctx, do: do, done: make(chan error, 1)}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return ErrClosed
	}
	s.queue = append(s.queue, c)
	s.mu.Unlock()
	s.rouse()
	select {
	case err := <-c.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-s.fenced:
		return ErrFenced
	}
}

func (s *Store) rouse() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// writer is the one who writes. All of it belongs to its goroutine.
type writer struct {
	store *Store
	conn  *sql.Conn
	token string // of the epochs of a server that is alone at a PostgreSQL database
	// statements are those there ever were, by their text: to have them parsed
	// anew costs more than to carry them out.
	statements map[string]*sql.Stmt
	failed     int       // transactions in a row
	failing    time.Time // when the first of them failed
}

// connect makes the connection, or makes it anew when the server has gone and
// may have come back.
func (w *writer) connect(ctx context.Context) error {
	if w.conn != nil {
		if !w.store.lost(w.conn) {
			return nil
		}
		w.conn.Close()
	}
	conn, err := w.store.write.Conn(ctx)
	if err != nil {
		return err
	}
	if w.store.alone {
		if err := w.beAlone(ctx, conn); err != nil {
			conn.Close()
			return err
		}
	}
	w.conn, w.statements = conn, map[string]*sql.Stmt{}
	return nil
}

// run writes what waits until the store is closed and nothing waits.
func (w *writer) run() {
	s := w.store
	var tick <-chan time.Time
	if s.alone {
		t := time.NewTicker(keepPace)
		defer t.Stop()
		tick = t.C
	}
	for {
		select {
		case <-tick:
			w.keepLock()
			continue
		case <-s.wake:
		}
		for {
			s.mu.Lock()
			n := min(len(s.queue), maxBatch)
			batch := s.queue[:n:n]
			s.queue = s.queue[n:]
			closed := s.closed
			s.mu.Unlock()
			if n == 0 && closed {
				return
			}
			if n == 0 {
				break
			}
			w.commit(batch)
		}
	}
}

// commit writes changes in one transaction and tells their callers.
func (w *writer) commit(batch []*change) {
	began := time.Now()
	results, err := w.transact(batch)
	for w.mayRepeat(err) {
		results, err = w.transact(batch)
	}
	for i, c := range batch {
		if err != nil && results[i] == nil {
			results[i] = fmt.Errorf("writing to the database: %w", explain(err))
		}
		c.done <- results[i]
	}
	if wrote := w.store.wrote; wrote != nil {
		wrote(len(batch), time.Since(began), err)
	}
	w.note(err)
}

// note logs the first of several failures in a row, and their end. While they
// last, it syncs the tail.
func (w *writer) note(err error) {
	switch {
	case err != nil:
		w.store.syncTail()
		if w.failed++; w.failed == 1 {
			w.failing = time.Now()
			w.store.log.Error("writing to the database failed", "error", explain(err))
		}
	case w.failed > 0:
		w.store.log.Info("writing to the database succeeds again", "failures", w.failed, "after", time.Since(w.failing))
		w.failed = 0
	}
}

// transact is what came of each change, and of their transaction as a whole.
func (w *writer) transact(batch []*change) ([]error, error) {
	results := make([]error, len(batch))
	// A caller that gives up must not take the others' changes with it, so
	// nobody's context is in the transaction.
	ctx := context.Background()
	if limit := w.store.limit; limit > 0 {
		limited, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		ctx = limited
	}
	transaction, err := w.begin(ctx)
	if err != nil {
		return results, err
	}
	defer transaction.Rollback() // means nothing after a commit
	t := &tx{ctx, w}
	if w.store.lock != "" {
		if _, err := t.exec(w.store.lock); err != nil {
			return results, err
		}
	}
	if w.store.fence != nil {
		if err := w.store.fence.Check(ctx, transaction); err != nil {
			return results, err
		}
	}
	for i, c := range batch {
		if results[i] = c.ctx.Err(); results[i] != nil {
			continue
		}
		if _, err := t.exec("SAVEPOINT change"); err != nil {
			return results, err
		}
		if results[i] = w.attempt(t, c); results[i] != nil {
			if _, err := t.exec("ROLLBACK TO SAVEPOINT change"); err != nil {
				// The engine took everything back by itself, as when the disk is full.
				return make([]error, len(batch)), results[i]
			}
		}
		if _, err := t.exec("RELEASE SAVEPOINT change"); err != nil {
			return results, err
		}
	}
	return results, transaction.Commit()
}

// begin begins a transaction. That the server has gone and come back shows only
// then, and nothing is lost by trying once more.
func (w *writer) begin(ctx context.Context) (*sql.Tx, error) {
	if err := w.connect(ctx); err != nil {
		return nil, err
	}
	transaction, err := w.conn.BeginTx(ctx, nil)
	if err == nil || !w.store.lost(w.conn) {
		return transaction, err
	}
	if err := w.connect(ctx); err != nil {
		return nil, err
	}
	return w.conn.BeginTx(ctx, nil)
}

// attempt carries a change out. A fault in it costs its caller the change and
// nobody anything else.
func (w *writer) attempt(t *tx, c *change) (err error) {
	defer func() {
		if p := recover(); p != nil {
			w.store.log.Error("a change of the database failed", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("changing the database: %v", p)
		}
	}()
	return explain(c.do(t))
}

// tx is the transaction of a change: whatever the writer's connection does
// belongs to it.
type tx struct {
	ctx    context.Context
	writer *writer
}

func (t *tx) prepare(query string) (*sql.Stmt, error) {
	if s := t.writer.statements[query]; s != nil {
		return s, nil
	}
	s, err := t.writer.conn.PrepareContext(t.ctx, query)
	if err == nil {
		t.writer.statements[query] = s
	}
	return s, err
}

// exec changes rows and tells how many.
func (t *tx) exec(query string, args ...any) (int64, error) {
	s, err := t.prepare(query)
	if err != nil {
		return 0, err
	}
	r, err := s.ExecContext(t.ctx, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// get reads one row into dest; [ErrNotFound] if there is none.
func (t *tx) get(query string, args []any, dest ...any) error {
	s, err := t.prepare(query)
	if err != nil {
		return err
	}
	return found(s.QueryRowContext(t.ctx, args...).Scan(dest...))
}

// get reads one row into dest, beside the writer; [ErrNotFound] if there is
// none.
func (s *Store) get(ctx context.Context, query string, args []any, dest ...any) error {
	return explain(found(s.read.QueryRowContext(ctx, query, args...).Scan(dest...)))
}

func found(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}

// list reads rows, beside the writer. scan makes a value of each.
func list[T any](ctx context.Context, s *Store, query string, args []any, scan func(func(...any) error) (T, error)) ([]T, error) {
	rows, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, explain(err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		v, err := scan(rows.Scan)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, explain(rows.Err())
}
