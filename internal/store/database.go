package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
)

// database is an open database: one writing connection and several reading connections.
// All kinds of data share it. sqlite.go and postgres.go open it.
type database struct {
	log       *slog.Logger
	file      string // of SQLite; else empty
	write     *sql.DB
	read      *sql.DB
	writeLock string        // statement that begins each writing transaction; may be empty
	exclusive bool          // on PostgreSQL; see [Config]
	folder    *flock.Flock  // held on SQLite if the store is exclusive; otherwise nil
	limit     time.Duration // maximum duration of a writing transaction; 0: none
	fence     Fence
	wrote     func(took time.Duration, err error) // see [Config]; never nil
	// failed is called after each failed transaction. It is set before the first change
	// and may be nil.
	failed func()

	work     sync.WaitGroup // goroutines that end at stop
	stop     chan struct{}  // closed when close begins
	stopping sync.Once      // closes stop
	open     sync.RWMutex   // held for reading during changes
	closed   bool           // guarded by open
	waiting  atomic.Int64   // changes that wait for turn

	turn     chan struct{} // capacity 1: full while a transaction writes; guards the fields below
	failures int           // consecutive failed transactions
	failing  time.Time     // when the first of them failed
}

// openDatabase connects to the database.
func openDatabase(ctx context.Context, cfg Config) (*database, error) {
	db := &database{
		log: cfg.Log, fence: cmp.Or[Fence](cfg.Fence, noFence{}), wrote: cfg.Wrote,
		stop: make(chan struct{}), turn: make(chan struct{}, 1),
	}
	if cfg.ReadOnly {
		db.fence = standbyFence{}
	}
	if db.wrote == nil {
		db.wrote = func(time.Duration, error) {}
	}
	open := db.openSQLite
	if cfg.URL != "" {
		open = db.openPostgres
	}
	if err := open(ctx, cfg); err != nil {
		return nil, errors.Join(err, db.disconnect())
	}
	return db, nil
}

// close waits until all requested changes are written, then closes all connections.
func (db *database) close() error {
	db.stopping.Do(func() { close(db.stop) })
	db.open.Lock()
	db.closed = true
	db.open.Unlock()
	db.work.Wait()
	return db.disconnect()
}

// disconnect closes the connection pools and unlocks the database.
func (db *database) disconnect() (err error) {
	if db.exclusive && db.write != nil {
		db.releaseServer()
	}
	if db.read != nil {
		err = db.read.Close()
	}
	if db.write != nil {
		err = errors.Join(err, db.write.Close())
	}
	if db.folder != nil {
		err = errors.Join(err, db.folder.Close())
	}
	return err
}

// get reads one row into dest, or returns [ErrNotFound]. It does not wait for changes.
func (db *database) get(ctx context.Context, query string, args []any, dest ...any) error {
	return fail(db.read.QueryRowContext(ctx, query, args...).Scan(dest...))
}

// list reads rows without waiting for changes. columns returns the destinations of a
// row's columns, as for Scan.
func list[T any](ctx context.Context, db *database, query string, args []any, columns func(*T) []any) ([]T, error) {
	rows, err := db.read.QueryContext(ctx, query, args...)
	return scanAll(rows, err, columns)
}

// scanAll reads the rows that a query has returned.
func scanAll[T any](rows *sql.Rows, err error, columns func(*T) []any) ([]T, error) {
	if err != nil {
		return nil, fail(err)
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var v T
		if err := rows.Scan(columns(&v)...); err != nil {
			return nil, fail(err)
		}
		all = append(all, v)
	}
	return all, fail(rows.Err())
}

// itself is a columns function for rows with a single column.
func itself[T any](v *T) []any { return []any{v} }
