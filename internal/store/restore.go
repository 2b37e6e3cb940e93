package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"broadside/internal/owner"
)

// ErrInUse is why a database cannot be restored or opened.
var ErrInUse = errors.New("a server is at work on the database: stop it first")

// Restore puts a backup in the place of the database of SQLite in a folder. The
// backup is checked first and stays where it is. What was in the folder is kept
// under another name, which is returned; empty if there was nothing. Nobody may
// be at work on it: [ErrInUse]. After an error the folder is as it was, but for the
// file that is locked.
func Restore(ctx context.Context, file, folder string) (aside string, err error) {
	h, err := Check(ctx, file)
	if err == nil && len(h.Damage) > 0 {
		err = fmt.Errorf("%w: %s", ErrDamaged, strings.Join(h.Damage, "; "))
	}
	if err != nil {
		return "", fmt.Errorf("restoring %s: %w", file, err)
	}
	if aside, err = restore(ctx, file, folder); err != nil {
		return "", fmt.Errorf("restoring %s to %s: %w", file, folder, explainSQLite(err))
	}
	return aside, nil
}

func restore(ctx context.Context, file, folder string) (aside string, err error) {
	if exists(file + "-wal") {
		return "", errors.New("that is the database of a server, and not all of it is in one file: make a backup of it")
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	lock, err := lockFolder(folder)
	if err != nil {
		return "", err
	}
	defer lock.Close()
	target := filepath.Join(folder, FileName)
	partial, err := copyFile(file, folder)
	if err != nil {
		return "", err
	}
	defer os.Remove(partial) // fails once it has its name
	there := true
	switch _, err := os.Stat(target); {
	case errors.Is(err, fs.ErrNotExist):
		there = false
	case err != nil:
		return "", err
	default:
		if err := takeAlone(ctx, target); err != nil {
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
	if !there {
		aside = ""
	}
	return aside, syncFolder(folder)
}

// asideName returns the name under which a database is kept that is replaced.
func asideName(file string) string {
	return file + ".before-" + time.Now().UTC().Format("20060102T150405.000Z")
}

// putAside gives a database another name, with the files that belong to it: SQLite
// would take one that stays for the restored database's, and write into that what is
// in it.
func putAside(file, aside string) error {
	for _, suffix := range []string{"-wal", "-journal", "-shm", ""} {
		if err := os.Rename(file+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// takeAlone makes one file of a database: [ErrInUse] if anybody has it open.
func takeAlone(ctx context.Context, file string) error {
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
		return nil // it is no database, and nothing is lost by putting it aside
	}
	err = db.QueryRowContext(ctx, `PRAGMA journal_mode = DELETE`).Scan(&mode)
	switch {
	case err == nil && mode == "wal", err != nil && strings.Contains(err.Error(), "locked"):
		return ErrInUse
	case err != nil:
		// It is damaged: put it aside with the files that belong to it.
		return nil
	}
	return nil
}

// copyFile copies a file into a folder, under a name that does not last.
func copyFile(file, folder string) (name string, err error) {
	in, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer in.Close()
	out, err := os.CreateTemp(folder, "."+FileName+".partial-*") // made with mode 0600
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
