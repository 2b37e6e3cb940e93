package store

import (
	"context"
	"database/sql"
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
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"broadside/internal/owner"
	"broadside/internal/store/schema"
)

// openSQLite opens the database in the folder and upgrades its schema.
func openSQLite(ctx context.Context, cfg Config) (*database, error) {
	if err := os.MkdirAll(cfg.Folder, 0o700); err != nil {
		return nil, err
	}
	file, err := filepath.Abs(filepath.Join(cfg.Folder, FileName))
	if err != nil {
		return nil, err
	}
	err = explainSQLite(inspect(ctx, file, cfg))
	if cfg.Fresh && (errors.Is(err, ErrEmpty) || errors.Is(err, ErrDamaged) || errors.Is(err, ErrNotOurs)) {
		err = startAfresh(cfg, file, err)
	}
	if err != nil {
		return nil, err
	}
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		if err := create(ctx, file); err != nil {
			return nil, err
		}
	}

	db := &database{file: file}
	if db.write, err = connect(file, 1, url.Values{"_txlock": {"immediate"}, "_journal_mode": {"WAL"}, "_synchronous": {"FULL"}}); err != nil {
		return nil, err
	}
	if db.read, err = connect(file, max(4, runtime.NumCPU()), url.Values{"_query_only": {"on"}}); err != nil {
		return nil, errors.Join(err, db.write.Close())
	}
	if cfg.Exclusive {
		if db.folder, err = lockFolder(cfg.Folder); err != nil {
			return nil, errors.Join(err, db.disconnect())
		}
	}
	if err := migrate(ctx, db.write); err != nil {
		return nil, errors.Join(err, db.disconnect())
	}
	return db, nil
}

// startAfresh moves an unusable database aside.
func startAfresh(cfg Config, file string, why error) error {
	lock, err := lockFolder(cfg.Folder)
	if err != nil {
		return err
	}
	defer lock.Close()
	aside := asideName(file)
	cfg.Log.Warn("the database is replaced by a new one", "why", why, "old", aside)
	return putAside(file, aside)
}

// create makes a new database. The file gets its name once it is complete, so an empty
// file is one that has lost its content.
func create(ctx context.Context, file string) (err error) {
	// SQLite gives its other files the mode of this one, 0600: they contain
	// fingerprints and layouts.
	f, err := os.CreateTemp(filepath.Dir(file), "."+FileName+".new-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close(), removeIfThere(f.Name())) }()
	owner.Inherit(f.Name())
	db, err := connect(f.Name(), 1, url.Values{"_txlock": {"immediate"}, "_journal_mode": {"MEMORY"}, "_synchronous": {"OFF"}})
	if err != nil {
		return err
	}
	if err := errors.Join(migrate(ctx, db), db.Close(), f.Sync()); err != nil {
		return err
	}
	// Unlike renaming, linking does not replace the file of a faster process.
	if err := os.Link(f.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		if err := os.Rename(f.Name(), file); err != nil { // the file system has no links
			return err
		}
	}
	return syncFolder(filepath.Dir(file))
}

// removeIfThere removes a file that may have been renamed.
func removeIfThere(file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// connect returns a pool of connections, without opening one.
func connect(file string, connections int, options url.Values) (*sql.DB, error) {
	if options == nil {
		options = url.Values{}
	}
	options.Set("_busy_timeout", "10000") // milliseconds: a migration or a checkpoint of another process
	options.Set("_foreign_keys", "on")
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(file), RawQuery: options.Encode()}
	c, err := sqlite.NewConnector(u.String())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// quickTime is the maximum time of the check when a server starts, which reads some
// 300 MB a second.
const quickTime = 30 * time.Second

// inspect returns an error for a file that this program must not change. For an
// exclusive store it looks for damage as well. It changes nothing.
func inspect(ctx context.Context, file string, cfg Config) error {
	switch info, err := os.Stat(file); {
	case errors.Is(err, fs.ErrNotExist) && hasContent(file+"-wal"):
		return fmt.Errorf("%w: %s is missing, but %s-wal is there", ErrDamaged, file, file)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Size() == 0:
		return ErrEmpty
	case info.Size() < 100: // bytes: an SQLite header, and SQLite would take it for an empty file
		return ErrNotOurs
	}
	options := url.Values{"mode": {"ro"}}
	switch {
	case hasContent(file + "-journal"):
		// A process was killed while it wrote. The database can only be read once the
		// unfinished transaction is rolled back.
		options.Set("mode", "rw")
	case !hasContent(file + "-wal"):
		// No process writes and nothing has to be recovered: reading need not make
		// files beside it.
		options.Set("immutable", "1")
	}
	db, err := connect(file, 1, options)
	if err != nil {
		return err
	}
	defer db.Close()
	sch, err := schema.OfSQLite(db)
	if err != nil {
		return err
	}
	exists, err := sch.Check(ctx)
	switch {
	case err == nil && !exists:
		return ErrEmpty
	case err != nil || !cfg.Exclusive:
		return err
	}
	return quickCheck(ctx, db, cfg.Log)
}

// quickCheck looks for damaged pages.
func quickCheck(ctx context.Context, db *sql.DB, log *slog.Logger) error {
	limited, cancel := context.WithTimeout(ctx, quickTime)
	defer cancel()
	damage, err := pragmaLines(limited, db, `PRAGMA quick_check(1)`)
	switch {
	case limited.Err() != nil && ctx.Err() == nil:
		log.Warn("the database was not checked to the end, as it is large: run broadside doctor", "after", quickTime)
		return nil
	case err != nil:
		return err
	case len(damage) > 0:
		return fmt.Errorf("%w: %s", ErrDamaged, damage[0])
	}
	return nil
}

// pragmaLines returns the problems that a check has found.
func pragmaLines(ctx context.Context, db *sql.DB, check string) ([]string, error) {
	lines, err := scanAll(ctx, db, check, nil, itself[string])
	lines = slices.DeleteFunc(lines, func(line string) bool { return line == "ok" })
	for i, line := range lines {
		lines[i] = strings.ReplaceAll(line, "\n", "; ")
	}
	return lines, err
}

// hasContent reports whether a file exists and is not empty.
func hasContent(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Size() > 0
}

// migrate upgrades the schema.
func migrate(ctx context.Context, db *sql.DB) error {
	s, err := schema.OfSQLite(db)
	if err != nil {
		return err
	}
	return s.Upgrade(ctx, schema.Newest)
}

// explainSQLite is [explain] for errors of SQLite and of the file system.
func explainSQLite(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("%w: %w", ErrFull, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	if e.Code() == sqlite3.SQLITE_IOERR_SHMSIZE { // no room for the file beside the database
		return fmt.Errorf("%w: %w", ErrFull, err)
	}
	switch e.Code() & 0xff { // the rest is detail
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: %w", ErrFull, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	case sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: %w", ErrNotOurs, err)
	}
	return err
}
