package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// This file and backup.go are all that know of SQLite, and postgres.go of
// PostgreSQL.

// openSQLite opens and migrates the database in the folder.
func openSQLite(ctx context.Context, cfg Config) (*Store, error) {
	if err := os.MkdirAll(cfg.Folder, 0o700); err != nil {
		return nil, err
	}
	file, err := filepath.Abs(filepath.Join(cfg.Folder, FileName))
	if err != nil {
		return nil, err
	}
	if err := inspect(ctx, file); err != nil {
		return nil, err
	}
	// SQLite gives its other files the rights of this one, and it holds
	// fingerprints and layouts: nobody else's business.
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	f.Close()

	s := &Store{file: file, log: cfg.Log, wake: make(chan struct{}, 1)}
	if s.write, err = connect(file, 1, url.Values{"_txlock": {"immediate"}, "_journal_mode": {"WAL"}, "_synchronous": {"FULL"}}); err != nil {
		return nil, err
	}
	if s.read, err = connect(file, max(4, runtime.NumCPU()), url.Values{"_query_only": {"on"}}); err != nil {
		return nil, errors.Join(err, s.write.Close())
	}
	if cfg.Alone {
		if s.folder, err = lockFolder(cfg.Folder); err != nil {
			return nil, errors.Join(err, s.disconnect())
		}
	}
	if err := migrate(ctx, s.write); err != nil {
		return nil, errors.Join(err, s.disconnect())
	}
	return s, nil
}

// connect makes a pool of connections; none is opened yet.
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

// inspect refuses a file that this program must not touch, and touches none.
func inspect(ctx context.Context, file string) error {
	switch info, err := os.Stat(file); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Size() == 0:
		return nil
	case info.Size() < 100: // bytes: an SQLite header, and SQLite would take it for an empty file
		return ErrNotOurs
	}
	options := url.Values{"mode": {"ro"}}
	switch {
	case exists(file + "-journal"):
		// Somebody was killed who made a database, or some other program. It can
		// only be read once what was half written is taken back.
		options.Set("mode", "rw")
	case !exists(file + "-wal"):
		// Nobody writes to it and nothing is left to be recovered: read it
		// without making files beside it.
		options.Set("immutable", "1")
	}
	db, err := connect(file, 1, options)
	if err != nil {
		return err
	}
	defer db.Close()
	var tables, ours int
	if err := db.QueryRowContext(ctx, `SELECT COUNT(*), COUNT(CASE name WHEN 'goose_db_version' THEN 1 END)
		FROM sqlite_schema WHERE type = 'table'`).Scan(&tables, &ours); err != nil {
		return err
	}
	if ours == 0 {
		if tables > 0 {
			return ErrNotOurs
		}
		return nil
	}
	p, err := provider(goose.DialectSQLite3, db)
	if err != nil {
		return err
	}
	return known(ctx, db, p)
}

// exists tells whether there is anything in a file.
func exists(file string) bool {
	info, err := os.Stat(file)
	return err == nil && info.Size() > 0
}

// migrate brings the schema up to date.
func migrate(ctx context.Context, db *sql.DB) error {
	p, err := provider(goose.DialectSQLite3, db)
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	return err
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
	switch e.Code() & 0xff { // the rest is detail
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: %w", ErrFull, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%w: %w", ErrNotOurs, err)
	}
	return err
}
