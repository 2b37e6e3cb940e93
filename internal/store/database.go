package store

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"broadside/internal/store/packed"
	"broadside/internal/store/replication"
)

// database is an open database: one writing connection and several reading connections.
// All kinds of data share it. sqlite.go and postgres.go open it.
type database struct {
	log       *slog.Logger
	file      string // of SQLite; else empty
	write     *sql.DB
	read      *sql.DB
	writeLock string                                           // statement that begins each writing transaction; may be empty
	exclusive bool                                             // on PostgreSQL; see [Config]
	primary   *replication.Primary                             // on PostgreSQL
	folder    *flock.Flock                                     // held on SQLite if the store is exclusive; otherwise nil
	limit     time.Duration                                    // maximum duration of a writing transaction; 0: none
	fence     Fence                                            // nil, except on the active node of a cluster
	fenced    <-chan struct{}                                  // closed while no changes are accepted
	wrote     func(changes int, took time.Duration, err error) // see [Config]; never nil
	// failed is called by the writer after each failed transaction. It is set before the
	// first change and may be nil.
	failed func()
	packer packed.Packer // packs the matches' events

	work sync.WaitGroup // the writer, and goroutines from start
	wake chan struct{}  // capacity 1: the queue is no longer empty, or is closed

	mu     sync.Mutex // guards the fields below; never held during I/O
	queue  []*change
	closed bool
}

// openDatabase connects to the database and starts the writer.
func openDatabase(ctx context.Context, cfg Config) (*database, error) {
	open := openSQLite
	if cfg.URL != "" {
		open = openPostgres
	}
	db, err := open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	db.log, db.wake = cfg.Log, make(chan struct{}, 1)
	db.fence, db.fenced = cfg.Fence, cfg.fenced()
	if db.wrote = cfg.Wrote; db.wrote == nil {
		db.wrote = func(int, time.Duration, error) {}
	}
	w := &writer{db: db}
	if !cfg.ReadOnly {
		err := w.connect(ctx)
		if err == nil && db.exclusive {
			err = db.warnOfNodes(ctx)
		}
		if err != nil {
			return nil, errors.Join(err, w.disconnect(), db.disconnect())
		}
	}
	db.work.Go(func() {
		w.run()
		w.disconnect()
	})
	return db, nil
}

// close waits until all queued changes are written, then closes all connections.
func (db *database) close() error {
	db.mu.Lock()
	db.closed = true
	db.mu.Unlock()
	db.wakeWriter()
	db.work.Wait()
	return db.disconnect()
}

// start runs f in a goroutine that close waits for, or returns [ErrClosed].
func (db *database) start(f func()) error {
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		return ErrClosed
	}
	db.work.Go(f)
	return nil
}

// disconnect closes the connection pools and unlocks the data folder.
func (db *database) disconnect() error {
	err := errors.Join(db.read.Close(), db.write.Close())
	if db.folder != nil {
		err = errors.Join(err, db.folder.Close())
	}
	return err
}

// change runs do in a transaction and waits until its changes are on disk. If do returns
// an error, its changes are undone. do runs on the writer's goroutine and may still be
// running after change has returned an error, so the caller may read variables that do
// sets only after success.
func (db *database) change(ctx context.Context, do func(*tx) error) error {
	if db.isFenced() {
		return ErrFenced
	}
	c := &change{ctx: ctx, do: do, done: make(chan error, 1)}
	db.mu.Lock()
	if db.closed {
		db.mu.Unlock()
		return ErrClosed
	}
	db.queue = append(db.queue, c)
	db.mu.Unlock()
	db.wakeWriter()
	select {
	case err := <-c.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-db.fenced:
		return ErrFenced
	}
}

// changeTo is change for a do function that returns a value.
func changeTo[T any](ctx context.Context, db *database, do func(*tx) (T, error)) (v T, err error) {
	var result T
	if err := db.change(ctx, func(t *tx) (err error) {
		result, err = do(t)
		return err
	}); err != nil {
		return v, err
	}
	return result, nil
}

// next removes up to maxBatch changes from the queue. closed reports that no more will
// follow.
func (db *database) next() (batch []*change, closed bool) {
	db.mu.Lock()
	defer db.mu.Unlock()
	n := min(len(db.queue), maxBatch)
	batch, db.queue = db.queue[:n:n], db.queue[n:]
	return batch, db.closed
}

func (db *database) wakeWriter() {
	select {
	case db.wake <- struct{}{}:
	default:
	}
}

// get reads one row into dest, or returns [ErrNotFound]. It does not wait for the writer.
func (db *database) get(ctx context.Context, query string, args []any, dest ...any) error {
	return notFound(db.read.QueryRowContext(ctx, query, args...).Scan(dest...))
}

func notFound(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return ErrNotFound
	}
	return err
}

// list reads rows without waiting for the writer. columns returns the destinations of a
// row's columns, as for Scan.
func list[T any](ctx context.Context, db *database, query string, args []any, columns func(*T) []any) ([]T, error) {
	rows, err := db.read.QueryContext(ctx, query, args...)
	return scanAll(rows, err, columns)
}

// scanAll reads the rows that a query has returned.
func scanAll[T any](rows *sql.Rows, err error, columns func(*T) []any) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var v T
		if err := rows.Scan(columns(&v)...); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// itself is a columns function for rows with a single column.
func itself[T any](v *T) []any { return []any{v} }
