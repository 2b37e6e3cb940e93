package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"broadside/internal/owner"
	"broadside/internal/store/schema"
)

// Restore checks a backup and copies it to a folder, where it replaces the SQLite
// database. The old database is kept under another name, which is returned; the name is
// empty if there was none. The error is [ErrInUse] if a process has the database open.
// After an error, the folder is unchanged except for the lock file.
func Restore(ctx context.Context, file, folder string) (aside string, err error) {
	defer annotate(&err, "restoring %s to %s", file, folder)
	switch h, err := Check(ctx, file); {
	case err != nil:
		return "", err
	case len(h.Damage) > 0:
		return "", fmt.Errorf("%w: %s", ErrDamaged, strings.Join(h.Damage, "; "))
	default:
		if err := checkSchema(ctx, file, h.Schema); err != nil {
			return "", err
		}
	}
	return restore(ctx, file, folder)
}

// checkSchema returns [ErrForeignSchema] if a database's tables, indexes, views or triggers differ from
// Broadside's, because they could change what the server stores.
func checkSchema(ctx context.Context, file string, version int64) error {
	path, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	backup, err := connect(path, 1, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	if err != nil {
		return err
	}
	defer backup.Close()
	own, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return err
	}
	defer own.Close()
	// Each connection to :memory: has its own database.
	own.SetMaxOpenConns(1)
	s, err := schema.OfSQLite(own)
	if err == nil {
		err = s.Upgrade(ctx, version)
	}
	if err != nil {
		return err
	}
	got, err := schemaParts(ctx, backup)
	if err != nil {
		return err
	}
	want, err := schemaParts(ctx, own)
	if err != nil {
		return err
	}
	for name, text := range got {
		if want[name] != text {
			return fmt.Errorf("%w: %s", ErrForeignSchema, name)
		}
	}
	for name := range want {
		if _, ok := got[name]; !ok {
			return fmt.Errorf("%w: %s is missing", ErrForeignSchema, name)
		}
	}
	return nil
}

// comments matches SQL comments.
var comments = regexp.MustCompile(`--[^\n]*|(?s)/\*.*?\*/`)

// schemaParts returns the SQL of all tables, indexes, views and triggers, without comments and spaces.
// It leaves out those that SQLite and the package goose create.
func schemaParts(ctx context.Context, db *sql.DB) (map[string]string, error) {
	type part struct{ kind, name, text string }
	rows, err := db.QueryContext(ctx, `SELECT type, name, COALESCE(sql, '') FROM sqlite_schema
		WHERE type IN ('view', 'trigger') OR name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name <> 'goose_db_version'`)
	all, err := scanAll(rows, err, func(p *part) []any { return []any{&p.kind, &p.name, &p.text} })
	parts := map[string]string{}
	for _, p := range all {
		parts["the "+p.kind+" "+p.name] = strings.Join(strings.Fields(comments.ReplaceAllString(p.text, " ")), "")
	}
	return parts, err
}

func restore(ctx context.Context, file, folder string) (aside string, err error) {
	if hasContent(file + "-wal") {
		return "", errors.New("that is the database of a server, and not all of it is in one file: make a backup of it")
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	held, err := lockFolder(folder)
	if err != nil {
		return "", err
	}
	defer held.Close()
	target := filepath.Join(folder, FileName)
	partial, err := copyFile(file, folder)
	if err != nil {
		return "", err
	}
	defer os.Remove(partial) // fails if the file has been renamed
	existed := true
	switch _, err := os.Stat(target); {
	case errors.Is(err, fs.ErrNotExist):
		existed = false
	case err != nil:
		return "", err
	default:
		if err := mergeFiles(ctx, target); err != nil {
			return "", err
		}
	}
	aside = asideName(target)
	err = putAside(target, aside)
	if err == nil {
		err = os.Rename(partial, target)
	}
	if err != nil {
		return "", errors.Join(err, putAside(aside, target))
	}
	if !existed {
		aside = ""
	}
	return aside, syncFolder(folder)
}

// asideName returns the name under which a replaced database is kept.
func asideName(file string) string {
	return file + ".before-" + time.Now().UTC().Format("20060102T150405.000Z")
}

// putAside renames a database and its associated files. SQLite would apply any remaining
// file to the restored database.
func putAside(file, aside string) error {
	for _, suffix := range []string{"-wal", "-journal", "-shm", ""} {
		if err := os.Rename(file+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// mergeFiles merges the files beside a database into it, or returns [ErrInUse] if a
// process has the database open.
func mergeFiles(ctx context.Context, file string) error {
	path, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	db, err := connect(path, 1, url.Values{"mode": {"rw"}})
	if err != nil {
		return err
	}
	defer db.Close()
	var mode string
	if _, err := db.ExecContext(ctx, `PRAGMA busy_timeout = 1000`); err != nil {
		return nil // not a database: putting it aside loses no data
	}
	err = db.QueryRowContext(ctx, `PRAGMA journal_mode = DELETE`).Scan(&mode)
	if err == nil && mode == "wal" || err != nil && strings.Contains(err.Error(), "locked") {
		return ErrInUse
	}
	return nil // the database is damaged: all files are put aside unchanged
}

// copyFile copies a file to a temporary name in a folder.
func copyFile(file, folder string) (name string, err error) {
	in, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer in.Close()
	out, err := os.CreateTemp(folder, "."+FileName+".partial-*") // created with mode 0600
	if err != nil {
		return "", err
	}
	owner.Inherit(out.Name())
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Sync(), out.Close()); err != nil {
		return "", errors.Join(err, os.Remove(out.Name()))
	}
	return out.Name(), nil
}
