package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// Fence allows a node to make changes only while it is the active node of its cluster.
type Fence interface {
	// Check returns [ErrFenced] if the transaction must not write, because another node may be
	// active. If it returns nil, no other node can become active until the transaction has
	// ended.
	Check(ctx context.Context, tx *sql.Tx) error
	// Done returns a channel that is closed when the node is no longer active. Until
	// then, the node may regain its role and repeat transactions that Check refused.
	Done() <-chan struct{}
}

type noFence struct{}

func (noFence) Check(context.Context, *sql.Tx) error { return nil }
func (noFence) Done() <-chan struct{}                { return nil }

// fencePause is how long a transaction waits after a fence has refused it.
const fencePause = 20 * time.Millisecond

// update runs do in a transaction and returns once its changes are on disk. If do returns an error, its
// changes are undone. Only one transaction writes at a time. Others wait until their contexts end, but a
// context does not stop a transaction that has started.
func (db *database) update(ctx context.Context, do func(*tx) error) error {
	return db.runUpdate(ctx, &db.engine.changes, do)
}

func (db *database) runUpdate(ctx context.Context, w *writer, do func(*tx) error) error {
	// close waits for the change.
	db.open.RLock()
	defer db.open.RUnlock()
	if db.closed {
		return ErrClosed
	}
	if err := db.waitForTurn(ctx, w); err != nil {
		return err
	}
	defer func() { <-w.turn }()
	began := time.Now()
	err := db.runTransaction(w, do)
	for errors.Is(err, ErrFenced) && db.pauseAfterRefusal() {
		err = db.runTransaction(w, do)
	}
	var failed *failure
	errors.As(err, &failed)
	db.reportWrite(time.Since(began), failed)
	return err
}

func updateResult[T any](ctx context.Context, db *database, do func(*tx) (T, error)) (T, error) {
	var result, none T
	err := db.update(ctx, func(t *tx) (err error) {
		result, err = do(t)
		return err
	})
	if err != nil {
		return none, err
	}
	return result, nil
}

// waitForTurn waits until no other transaction of the writer runs, and fills its turn.
func (db *database) waitForTurn(ctx context.Context, w *writer) error {
	db.waiting.Add(1)
	defer db.waiting.Add(-1)
	select {
	case <-db.fence.Done():
		return ErrFenced
	case <-ctx.Done():
		return ctx.Err()
	default:
		// If several cases are ready, the next select could choose any of them.
	}
	select {
	case w.turn <- struct{}{}:
		return nil
	case <-db.fence.Done():
		return ErrFenced
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pauseAfterRefusal waits after a fence has refused a transaction, and reports whether to repeat it.
func (db *database) pauseAfterRefusal() bool {
	select {
	case <-time.After(fencePause):
		return true
	case <-db.fence.Done():
	case <-db.ctx.Done():
	}
	return false
}

func (db *database) runTransaction(w *writer, do func(*tx) error) (err error) {
	defer func() {
		p := recover()
		if p != nil {
			db.log.Error("cannot change the database", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("change database: %v", p)
		}
	}()
	ctx := context.Background()
	if db.engine.transactionLimit > 0 {
		limited, cancel := context.WithTimeout(ctx, db.engine.transactionLimit)
		defer cancel()
		ctx = limited
	}
	transaction, err := w.pool.BeginTx(ctx, nil)
	if err != nil {
		return classifyError(err)
	}
	// After Commit, this has no effect.
	defer transaction.Rollback()
	t := &tx{ctx, transaction, db}
	if w.lockStatement != "" {
		if _, err := t.exec(w.lockStatement); err != nil {
			return err
		}
	}
	if err := db.fence.Check(ctx, transaction); errors.Is(err, ErrFenced) {
		return err
	} else if err != nil {
		return classifyError(err)
	}
	if err := do(t); err != nil {
		return err
	}
	return classifyError(transaction.Commit())
}

// reportWrite calls onWrite, and logs the first of consecutive failures and the recovery.
func (db *database) reportWrite(took time.Duration, failed *failure) {
	db.reporting.Lock()
	defer db.reporting.Unlock()
	if failed == nil {
		db.onWrite(took, nil)
		if db.failures > 0 {
			db.log.Info("writing to the database again", "failures", db.failures, "after", time.Since(db.failing))
			db.failures = 0
		}
		return
	}
	db.onWrite(took, failed)
	if db.failures == 0 {
		db.failing = time.Now()
		db.log.Error("cannot write to the database", "error", failed)
	}
	db.failures++
}

// tx is a writing transaction. The methods for a kind of data are in that kind's file.
type tx struct {
	ctx         context.Context
	transaction *sql.Tx
	db          *database
}

// exec executes a statement and returns the number of changed rows.
func (t *tx) exec(query string, args ...any) (int64, error) {
	r, err := t.transaction.ExecContext(t.ctx, query, args...)
	if err != nil {
		return 0, classifyError(err)
	}
	return r.RowsAffected()
}

// get reads one row into dest, or returns [ErrNotFound].
func (t *tx) get(query string, args []any, dest ...any) error {
	return classifyError(t.transaction.QueryRowContext(t.ctx, query, args...).Scan(dest...))
}

// execOrNotFound executes a statement and returns [ErrNotFound] if it changes no rows.
func (t *tx) execOrNotFound(query string, args ...any) error {
	n, err := t.exec(query, args...)
	if err == nil && n == 0 {
		return ErrNotFound
	}
	return err
}
