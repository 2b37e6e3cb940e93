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
	changes          writer         // of everything but the journal
	journal          writer         // see type journal
	read             *sql.DB        // several connections
	transactionLimit time.Duration  // maximum duration of a writing transaction; 0: none
	closers          []func() error // close the database, in reverse order
}

// writer is a connection for writing transactions, one after another.
type writer struct {
	pool          *sql.DB       // one connection
	lockStatement string        // statement that begins each transaction; may be empty
	turn          chan struct{} // capacity 1: full while a transaction writes
}

// close closes the connections and lets other servers use the database.
func (e *engine) close() (err error) {
	for _, c := range slices.Backward(e.closers) {
		err = errors.Join(err, c())
	}
	return err
}

// database reads and changes an open database. All kinds of data share it.
type database struct {
	engine      engine
	log         *slog.Logger
	fence       Fence
	onWrite     func(took time.Duration, err error) // see [Config]; never nil
	compressors compressors

	ctx     context.Context // ends when close begins
	stop    context.CancelFunc
	open    sync.RWMutex // held for reading during changes
	closed  bool         // guarded by open
	waiting atomic.Int64 // changes that wait for their turn

	reporting sync.Mutex
	failures  int       // guarded by reporting: consecutive failed transactions
	failing   time.Time // guarded by reporting: when the first of them failed
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

// listRows reads rows without waiting for changes. columns returns the destinations of a
// row's columns, as for Scan.
func listRows[T any](ctx context.Context, db *database, query string, args []any, columns func(*T) []any) ([]T, error) {
	rows, err := db.engine.read.QueryContext(ctx, query, args...)
	return scanRows(rows, err, columns)
}

func scanRows[T any](rows *sql.Rows, err error, columns func(*T) []any) ([]T, error) {
	if err != nil {
		return nil, classifyError(err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var v T
		if err := rows.Scan(columns(&v)...); err != nil {
			return nil, classifyError(err)
		}
		all = append(all, v)
	}
	return all, classifyError(rows.Err())
}

// singleColumn is a columns function for rows with a single column.
func singleColumn[T any](v *T) []any { return []any{v} }
