package store

import (
	"context"
	"database/sql"
	"fmt"
	"runtime/debug"
	"time"
)

// change is a request to write. The writer sends the result to done without blocking.
type change struct {
	ctx  context.Context // the caller's context
	do   func(*tx) error
	done chan error // capacity 1
}

// maxBatch is the maximum number of changes in a transaction. It limits how long a change
// waits for earlier ones.
const maxBatch = 256

// writer carries out changes. It combines all waiting changes into one transaction, so
// that they share one disk sync. Only its own goroutine uses its fields.
type writer struct {
	db    *database
	conn  *sql.Conn // nil until connected
	token string    // token of the current epoch of an exclusive store on PostgreSQL
	// statements holds the prepared statements of conn, by SQL text. Parsing a statement
	// takes longer than executing it.
	statements map[string]*sql.Stmt
	failed     int       // consecutive transactions
	failing    time.Time // when the first of them failed
}

// connect opens a connection unless the current one is usable.
func (w *writer) connect(ctx context.Context) error {
	if w.conn != nil {
		if !w.db.lost(w.conn) {
			return nil
		}
		w.conn.Close()
	}
	conn, err := w.db.write.Conn(ctx)
	if err != nil {
		return err
	}
	if w.db.exclusive {
		if err := w.acquireServer(ctx, conn); err != nil {
			conn.Close()
			return err
		}
	}
	w.conn, w.statements = conn, map[string]*sql.Stmt{}
	return nil
}

// disconnect closes the connection and its statements. An open statement would prevent
// SQLite from closing the database and removing its additional files.
func (w *writer) disconnect() error {
	for _, s := range w.statements {
		s.Close()
	}
	if w.conn == nil {
		return nil
	}
	if w.db.exclusive { // another server may start at once, but PostgreSQL keeps the lock for a while after Close
		ctx, cancel := context.WithTimeout(context.Background(), keepInterval)
		defer cancel()
		_, _ = w.conn.ExecContext(ctx, "SELECT pg_advisory_unlock_all()") // fails if the connection is lost
	}
	return w.conn.Close()
}

// run carries out changes until the database is closed and the queue is empty.
func (w *writer) run() {
	var tick <-chan time.Time
	if w.db.exclusive {
		t := time.NewTicker(keepInterval)
		defer t.Stop()
		tick = t.C
	}
	for {
		select {
		case <-tick:
			w.keepLock()
		case <-w.db.wake:
			if closed := w.drain(); closed {
				return
			}
		}
	}
}

// drain carries out all queued changes and reports whether the database is closed.
func (w *writer) drain() bool {
	for {
		batch, closed := w.db.next()
		if len(batch) == 0 {
			return closed
		}
		w.commit(batch)
	}
}

// commit carries out changes in one transaction and sends their results.
func (w *writer) commit(batch []*change) {
	began := time.Now()
	results, err := w.transact(batch)
	for w.mayRepeat(err) {
		results, err = w.transact(batch)
	}
	for i, c := range batch {
		if err != nil && results[i] == nil {
			results[i] = fmt.Errorf("writing to the database: %w", err)
		}
		c.done <- results[i]
	}
	w.db.wrote(len(batch), time.Since(began), err)
	w.logFailures(err)
}

// logFailures logs the first of several consecutive failures, and the recovery.
func (w *writer) logFailures(err error) {
	switch {
	case err != nil:
		if w.db.failed != nil {
			w.db.failed()
		}
		if w.failed++; w.failed == 1 {
			w.failing = time.Now()
			w.db.log.Error("writing to the database failed", "error", explain(err))
		}
	case w.failed > 0:
		w.db.log.Info("writing to the database works again", "failures", w.failed, "after", time.Since(w.failing))
		w.failed = 0
	}
}

// transact returns the result of each change and of the whole transaction.
func (w *writer) transact(batch []*change) ([]error, error) {
	results := make([]error, len(batch))
	// No caller's context: a caller that gives up must not undo the changes of others.
	ctx := context.Background()
	if limit := w.db.limit; limit > 0 {
		limited, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		ctx = limited
	}
	transaction, err := w.begin(ctx)
	if err != nil {
		return results, err
	}
	defer transaction.Rollback() // no effect after Commit
	t := &tx{ctx, w}
	if w.db.writeLock != "" {
		if _, err := t.exec(w.db.writeLock); err != nil {
			return results, err
		}
	}
	if w.db.fence != nil {
		if err := w.db.fence.Check(ctx, transaction); err != nil {
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
				// The engine has rolled back the whole transaction, as it does when the
				// disk is full.
				return make([]error, len(batch)), results[i]
			}
		}
		if _, err := t.exec("RELEASE SAVEPOINT change"); err != nil {
			return results, err
		}
	}
	return results, transaction.Commit()
}

// begin begins a transaction. It retries if the connection was lost, for example because
// the database server restarted.
func (w *writer) begin(ctx context.Context) (*sql.Tx, error) {
	if err := w.connect(ctx); err != nil {
		return nil, err
	}
	transaction, err := w.conn.BeginTx(ctx, nil)
	if err == nil || !w.db.lost(w.conn) {
		return transaction, err
	}
	if err := w.connect(ctx); err != nil {
		return nil, err
	}
	return w.conn.BeginTx(ctx, nil)
}

// attempt carries out one change. If it panics, only this change fails.
func (w *writer) attempt(t *tx, c *change) (err error) {
	defer func() {
		if p := recover(); p != nil {
			w.db.log.Error("a change of the database failed", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("changing the database: %v", p)
		}
	}()
	return c.do(t)
}

// tx is the transaction in which a change is carried out. Methods for a kind of data are
// in the file of that kind.
type tx struct {
	ctx    context.Context
	writer *writer
}

// prepare returns a prepared statement.
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

// exec executes a statement and returns the number of changed rows.
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

// get reads one row into dest, or returns [ErrNotFound].
func (t *tx) get(query string, args []any, dest ...any) error {
	s, err := t.prepare(query)
	if err != nil {
		return err
	}
	return notFound(s.QueryRowContext(t.ctx, args...).Scan(dest...))
}

// changeRow executes a statement and returns [ErrNotFound] if it changes no rows.
func (t *tx) changeRow(query string, args ...any) error {
	n, err := t.exec(query, args...)
	if err == nil && n == 0 {
		return ErrNotFound
	}
	return err
}
