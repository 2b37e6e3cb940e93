package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// update runs do in a transaction and returns once its changes are on disk. If do returns
// an error, its changes are undone. Only one transaction writes at a time, and others wait
// for it until their contexts end. The end of a context does not stop a transaction that
// has begun.
func (db *database) update(ctx context.Context, do func(*tx) error) error {
	return db.updateOn(ctx, db.write, do)
}

// updateOn is update with a connection of a pool.
func (db *database) updateOn(ctx context.Context, pool *sql.DB, do func(*tx) error) error {
	db.open.RLock() // close waits
	defer db.open.RUnlock()
	if db.closed {
		return ErrClosed
	}
	if err := db.waitForTurn(ctx); err != nil {
		return err
	}
	defer func() { <-db.turn }()
	began := time.Now()
	failed, err := db.transact(pool, do)
	for db.mayRepeat(err) {
		failed, err = db.transact(pool, do)
	}
	var failure error
	if failed {
		err = fmt.Errorf("writing to the database: %w", err)
		failure = err
	}
	db.wrote(time.Since(began), failure)
	db.logFailures(failure)
	return err
}

// updateTo is update for a do function that returns a value.
func updateTo[T any](ctx context.Context, db *database, do func(*tx) (T, error)) (T, error) {
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

// waitForTurn waits until no other transaction writes, and fills turn.
func (db *database) waitForTurn(ctx context.Context) error {
	if db.isFenced() {
		return ErrFenced
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	db.waiting.Add(1)
	defer db.waiting.Add(-1)
	select {
	case db.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-db.fenced:
		return ErrFenced
	}
}

// transact carries out a transaction. failed reports that an error is not one of do, but
// of the database.
func (db *database) transact(pool *sql.DB, do func(*tx) error) (failed bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			db.log.Error("a change of the database failed", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("changing the database: %v", p)
		}
	}()
	ctx := context.Background()
	if db.limit > 0 {
		limited, cancel := context.WithTimeout(ctx, db.limit)
		defer cancel()
		ctx = limited
	}
	transaction, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return true, err
	}
	defer transaction.Rollback() // no effect after Commit
	t := &tx{ctx, transaction, db}
	if db.writeLock != "" {
		if _, err := t.exec(db.writeLock); err != nil {
			return true, err
		}
	}
	if db.fence != nil {
		if err := db.fence.Check(ctx, transaction); err != nil {
			return true, err
		}
	}
	if err := do(t); err != nil {
		err = explain(err)
		return errors.Is(err, ErrFull) || errors.Is(err, ErrReadOnly) || errors.Is(err, ErrUnreachable), err
	}
	err = transaction.Commit()
	return err != nil, err
}

// logFailures logs the first of several consecutive failures, and the recovery. Only the
// holder of turn calls it.
func (db *database) logFailures(err error) {
	switch {
	case err != nil:
		if db.failed != nil {
			db.failed()
		}
		if db.failures++; db.failures == 1 {
			db.failing = time.Now()
			db.log.Error("writing to the database failed", "error", explain(err))
		}
	case db.failures > 0:
		db.log.Info("writing to the database works again", "failures", db.failures, "after", time.Since(db.failing))
		db.failures = 0
	}
}

// tx is the transaction in which a change is carried out. Methods for a kind of data are
// in the file of that kind.
type tx struct {
	ctx         context.Context
	transaction *sql.Tx
	db          *database
}

// exec executes a statement and returns the number of changed rows.
func (t *tx) exec(query string, args ...any) (int64, error) {
	r, err := t.transaction.ExecContext(t.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// get reads one row into dest, or returns [ErrNotFound].
func (t *tx) get(query string, args []any, dest ...any) error {
	return notFound(t.transaction.QueryRowContext(t.ctx, query, args...).Scan(dest...))
}

// changeRow executes a statement and returns [ErrNotFound] if it changes no rows.
func (t *tx) changeRow(query string, args ...any) error {
	n, err := t.exec(query, args...)
	if err == nil && n == 0 {
		return ErrNotFound
	}
	return err
}
