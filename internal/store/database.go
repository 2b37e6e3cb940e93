package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

type engine struct {
	// changes writes everything but the journal.
	changes writer
	// journal writes the entries of [Journal].
	journal writer
	// read has several connections.
	read *sql.DB
	// transactionLimit is the maximum duration of a writing transaction. 0 means no limit.
	transactionLimit time.Duration
	// closers close the database, in reverse order.
	closers []func() error
}

// writer is a connection for writing transactions, one after another.
type writer struct {
	// pool has one connection.
	pool *sql.DB
	// lockStatement is the first statement of each transaction. It may be empty.
	lockStatement string
	// turn has capacity 1 and is full while a transaction writes.
	turn chan struct{}
}

// close closes the connections and unlocks the folder.
func (e *engine) close() (err error) {
	for _, c := range slices.Backward(e.closers) {
		err = errors.Join(err, c())
	}
	return err
}

// database reads and changes an open database. All kinds of data share it.
type database struct {
	engine engine
	log    *slog.Logger
	fence  Fence
	// onWrite is that of [Config], and never nil.
	onWrite     func(took time.Duration, err error)
	compressors compressors

	// ctx ends when close starts.
	ctx  context.Context
	stop context.CancelFunc
	// open is held for reading during changes, and guards closed.
	open   sync.RWMutex
	closed bool
	// waiting counts the changes that wait for their turn.
	waiting atomic.Int64

	reporting sync.Mutex
	// failures counts consecutive failed transactions, of which the first failed at failing. Both are guarded by
	// reporting.
	failures int
	failing  time.Time
}

func openDatabase(ctx context.Context, cfg Config) (*database, error) {
	db := &database{log: cfg.Log, fence: cmp.Or[Fence](cfg.Fence, noFence{}), onWrite: cfg.OnWrite}
	if db.onWrite == nil {
		db.onWrite = func(time.Duration, error) {}
	}
	db.ctx, db.stop = context.WithCancel(context.Background())
	open := db.engine.openSQLite
	if cfg.URL != "" {
		open = db.engine.openPostgres
	}
	if err := open(ctx, cfg); err != nil {
		return nil, errors.Join(err, db.engine.close())
	}
	return db, nil
}

// close waits until all requested changes are written, then closes the database.
func (db *database) close() error {
	db.stop()
	db.open.Lock()
	defer db.open.Unlock()
	if db.closed {
		return nil
	}
	db.closed = true
	return db.engine.close()
}

// get reads one row into dest, or returns [ErrNotFound]. It does not wait for changes.
func (db *database) get(ctx context.Context, query string, args []any, dest ...any) error {
	return classifyError(db.engine.read.QueryRowContext(ctx, query, args...).Scan(dest...))
}

// listRows reads rows without waiting for changes. targets returns where to scan a row's columns.
func listRows[T any](ctx context.Context, db *database, query string, args []any, targets func(*T) []any) ([]T, error) {
	rows, err := db.engine.read.QueryContext(ctx, query, args...)
	return scanRows(rows, err, targets)
}

func scanRows[T any](rows *sql.Rows, err error, targets func(*T) []any) ([]T, error) {
	if err != nil {
		return nil, classifyError(err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var v T
		if err := rows.Scan(targets(&v)...); err != nil {
			return nil, classifyError(err)
		}
		all = append(all, v)
	}
	return all, classifyError(rows.Err())
}

// singleColumn is a targets function for rows with a single column.
func singleColumn[T any](v *T) []any { return []any{v} }
