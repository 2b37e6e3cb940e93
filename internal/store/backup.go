package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
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
	defer annotate(&err, "back up database in %s to %s", folder, file)
	if _, err := os.Lstat(file); err == nil {
		// The link below would fail as well, but only after the copy.
		return fs.ErrExist
	}
	db, err := openForReading(ctx, filepath.Join(folder, FileName))
	if err != nil {
		return err
	}
	defer db.Close()
	partial, err := writePartialBackup(ctx, db, filepath.Dir(file))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(partial)) }()
	// Unlike renaming, linking fails if the file exists.
	if err := os.Link(partial, file); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(file))
}

// writePartialBackup writes a consistent copy of a database to a temporary file in a folder.
func writePartialBackup(ctx context.Context, db *sql.DB, folder string) (partial string, err error) {
	// The file has mode 0600.
	to, err := os.CreateTemp(folder, "."+FileName+".partial-*")
	if err != nil {
		return "", err
	}
	_, err = db.ExecContext(ctx, `VACUUM INTO $1`, to.Name())
	if err == nil {
		err = to.Sync()
	}
	if err := errors.Join(err, to.Close()); err != nil {
		return "", errors.Join(err, os.Remove(to.Name()))
	}
	return to.Name(), nil
}

// syncFolder syncs a folder's entries to disk. Windows supports that only for files.
func syncFolder(folder string) error {
	// Windows can sync only files.
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
