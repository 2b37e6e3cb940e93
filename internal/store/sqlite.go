package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"broadside/internal/owner"
	"broadside/internal/store/schema"
)

// lockName is the file in the data folder that an exclusive store keeps locked. The operating
// system unlocks it when the process ends. No one removes the file, because two processes could
// then lock different files of the same name.
const lockName = "broadside.lock"

// lockFolder locks an existing data folder until the lock is closed, or returns
// [ErrInUse].
func lockFolder(folder string) (*flock.Flock, error) {
	l := flock.New(filepath.Join(folder, lockName), flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: l.Path(), Err: err}
	}
	if !ok {
		return nil, ErrInUse
	}
	owner.CopyFolderOwner(l.Path())
	return l, nil
}

func (e *engine) openSQLite(ctx context.Context, cfg Config) error {
	if err := os.MkdirAll(cfg.Folder, 0o700); err != nil {
		return err
	}
	file, err := filepath.Abs(filepath.Join(cfg.Folder, FileName))
	if err != nil {
		return err
	}
	if cfg.Exclusive {
		held, err := lockFolder(cfg.Folder)
		if err != nil {
			return err
		}
		e.closers = append(e.closers, held.Close)
	}
	if err := checkOrCreateDatabase(ctx, file, cfg); err != nil {
		kind := cmp.Or(errorKind(err), err)
		if errors.Is(kind, ErrDamaged) || errors.Is(kind, ErrNotOurs) {
			err = fmt.Errorf("%w: restore a backup with broadside restore", err)
		}
		return err
	}
	// The journal waits for other changes, because SQLite would only poll for the end of their transactions.
	e.changes.turn = make(chan struct{}, 1)
	e.journal.turn = e.changes.turn
	e.changes.pool, err = openPool(file, cfg.WrapConnector, 1, url.Values{"_txlock": {"immediate"}, "_journal_mode": {"WAL"}, "_synchronous": {"FULL"}})
	if err != nil {
		return err
	}
	e.closers = append(e.closers, e.changes.pool.Close)
	e.journal.pool, err = openPool(file, cfg.WrapConnector, 1, url.Values{"_txlock": {"immediate"}, "_synchronous": {"NORMAL"}})
	if err != nil {
		return err
	}
	e.closers = append(e.closers, e.journal.pool.Close)
	e.read, err = openPool(file, cfg.WrapConnector, max(4, runtime.NumCPU()), url.Values{"_query_only": {"on"}})
	if err != nil {
		return err
	}
	e.closers = append(e.closers, e.read.Close)
	return migrateSQLite(ctx, e.changes.pool)
}

// checkOrCreateDatabase creates a missing database, or returns an error if this program must not change the
// existing one. For an exclusive store it also looks for damage.
func checkOrCreateDatabase(ctx context.Context, file string, cfg Config) error {
	db, err := openForReading(ctx, file)
	if errors.Is(err, fs.ErrNotExist) {
		return createDatabase(ctx, file)
	}
	if err != nil {
		return err
	}
	defer db.Close()
	if !cfg.Exclusive {
		return nil
	}
	return quickCheck(ctx, db, cfg.Log)
}

// createDatabase creates a new database. The file gets its name only once it is complete, so an
// empty file must have lost its content.
func createDatabase(ctx context.Context, file string) error {
	// SQLite creates its other files with the mode of this one, 0600, because they
	// contain fingerprints and layouts.
	f, err := os.CreateTemp(filepath.Dir(file), "."+FileName+".new-*")
	if err != nil {
		return err
	}
	// This fails if the file was renamed.
	defer os.Remove(f.Name())
	defer f.Close()
	owner.CopyFolderOwner(f.Name())
	db, err := openPool(f.Name(), nil, 1, url.Values{"_txlock": {"immediate"}, "_journal_mode": {"MEMORY"}, "_synchronous": {"OFF"}})
	if err != nil {
		return err
	}
	if err := errors.Join(migrateSQLite(ctx, db), db.Close(), f.Sync()); err != nil {
		return err
	}
	// Unlike renaming, linking does not replace a file created by another process.
	if err := os.Link(f.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		// The file system does not support links.
		if err := os.Rename(f.Name(), file); err != nil {
			return err
		}
	}
	return syncFolder(filepath.Dir(file))
}

// openPool returns a connection pool without opening a connection. wrap is [Config.WrapConnector].
func openPool(file string, wrap func(driver.Connector) driver.Connector, connections int, options url.Values) (*sql.DB, error) {
	if options == nil {
		options = url.Values{}
	}
	// Other processes may migrate or checkpoint for up to 10,000 ms.
	options.Set("_busy_timeout", "10000")
	options.Set("_foreign_keys", "on")
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(file), RawQuery: options.Encode()}
	c, err := sqlite.NewConnector(u.String())
	if err != nil {
		return nil, err
	}
	if wrap != nil {
		c = wrap(c)
	}
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// quickTime limits the database check at startup, which reads about 300 MB a second.
const quickTime = 30 * time.Second

// openForReading opens a database of this program without changing it. The error is
// [fs.ErrNotExist] if there is none.
func openForReading(ctx context.Context, file string) (*sql.DB, error) {
	switch info, err := os.Stat(file); {
	case errors.Is(err, fs.ErrNotExist) && hasContent(file+"-wal"):
		return nil, fmt.Errorf("%w: %s is missing, but %s-wal is there", ErrDamaged, file, file)
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, ErrNotOurs
	case info.Size() == 0:
		return nil, fmt.Errorf("%w: the file is empty", ErrDamaged)
	// SQLite treats a file that is shorter than its header of 100 bytes as empty.
	case info.Size() < 100:
		return nil, ErrNotOurs
	}
	options := url.Values{"mode": {"ro"}}
	if hasContent(file + "-journal") {
		// A process was killed during a write. The database can be read only after the
		// unfinished transaction has been rolled back.
		options.Set("mode", "rw")
	} else if _, err := os.Lstat(file + "-wal"); err != nil {
		// No process uses the database, so reading need not create files beside it.
		options.Set("immutable", "1")
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	db, err := openPool(file, nil, 1, options)
	if err != nil {
		return nil, err
	}
	sch, err := schema.NewSQLite(db)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	exists, err := sch.Check(ctx)
	if err == nil && !exists {
		err = fmt.Errorf("%w: the file has no tables", ErrDamaged)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

func quickCheck(ctx context.Context, db *sql.DB, log *slog.Logger) error {
	limited, cancel := context.WithTimeout(ctx, quickTime)
	defer cancel()
	damage, err := queryPragma(limited, db, `PRAGMA quick_check(1)`)
	switch {
	case limited.Err() != nil && ctx.Err() == nil:
		log.Warn("the database is too large to check completely at startup: run broadside doctor", "after", quickTime)
		return nil
	case err != nil:
		return err
	case len(damage) > 0:
		return fmt.Errorf("%w: %s", ErrDamaged, damage[0])
	}
	return nil
}

func queryPragma(ctx context.Context, db *sql.DB, check string) ([]string, error) {
	rows, err := db.QueryContext(ctx, check)
	lines, err := scanRows(rows, err, singleColumn[string])
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "ok" })
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, "\n", "; ")
	}
	return lines, err
}

func hasContent(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Size() > 0
}

func migrateSQLite(ctx context.Context, db *sql.DB) error {
	s, err := schema.NewSQLite(db)
	if err != nil {
		return err
	}
	return s.Upgrade(ctx, schema.Newest)
}

func sqliteErrorKind(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return nil
	}
	switch e.Code() {
	case sqlite3.SQLITE_IOERR_SHMSIZE:
		// SQLite could not enlarge the file beside the database.
		return ErrFull
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return ErrNotFound
	}
	// The higher bits are details.
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return ErrFull
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return ErrReadOnly
	case sqlite3.SQLITE_CORRUPT:
		return ErrDamaged
	case sqlite3.SQLITE_NOTADB:
		return ErrNotOurs
	}
	return nil
}
