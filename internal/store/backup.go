package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
)

// Backup writes a copy of the database in the data folder to a file, as it is
// at one moment, while a server may be at work on it in this process or in
// another. The file must not be there yet: [fs.ErrExist]. It is there whole or
// not at all. To restore it, put it in an empty data folder under the name
// [FileName].
func Backup(ctx context.Context, folder, file string) error {
	if err := backup(ctx, folder, file); err != nil {
		return fmt.Errorf("backing up the database in %s to %s: %w", folder, file, explain(err))
	}
	return nil
}

// Backup is [Backup] of the store's own folder.
func (s *Store) Backup(ctx context.Context, file string) error {
	return Backup(ctx, filepath.Dir(s.file), file)
}

func backup(ctx context.Context, folder, file string) (err error) {
	source := filepath.Join(folder, FileName)
	if _, err := os.Stat(source); err != nil {
		return err
	}
	source, err = filepath.Abs(source)
	if err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil {
		return fs.ErrExist // it would turn out below too, after all the work
	}
	// A file of its own in the same folder, so that a link can make the name.
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
	// Unlike renaming, linking fails if the name is taken.
	if err := os.Link(partial.Name(), file); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(file))
}

// syncFolder puts the names in a folder on disk, where that can be done.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" { // which knows files only
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
