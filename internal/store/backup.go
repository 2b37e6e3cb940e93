package store

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
)

// Backup writes a consistent copy of the SQLite database in a data folder to a new file.
// A server in this or another process may have the database open. The error is
// [fs.ErrExist] if the file exists. After an error, no partial file remains under that
// name. Restore a backup with [Restore], or copy it to [FileName] in an empty data
// folder.
func Backup(ctx context.Context, folder, file string) (err error) {
	defer annotate(&err, "backing up the database in %s to %s", folder, file)
	source := filepath.Join(folder, FileName)
	if _, err := os.Stat(source); err != nil {
		return err
	}
	source, err = filepath.Abs(source)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		return fs.ErrExist // fail early; the link below would fail as well
	}
	// A temporary file in the same folder can be linked to the final name.
	partial, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".partial-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(partial.Name())) }()
	defer partial.Close()
	db, err := connect(source, 1, url.Values{"mode": {"ro"}})
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, `VACUUM INTO $1`, partial.Name()); err != nil {
		return err
	}
	if err := partial.Sync(); err != nil {
		return err
	}
	// Unlike renaming, linking fails if the file exists.
	if err := os.Link(partial.Name(), file); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(file))
}

// syncFolder syncs a folder's entries to disk, if the operating system supports it.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" { // supports only files
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
