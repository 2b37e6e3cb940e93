package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"broadside/internal/owner"
	"broadside/internal/store"
	"broadside/sshd"
)

// safeData returns an error if users other than root and the server's user can change the
// data folder.
func (c *Config) safeData() error {
	if err := SafeFolder(c.Data); err != nil {
		return fmt.Errorf("the data folder is not safe: %w", err)
	}
	return nil
}

// SafeFolder returns an error if other users can change a data folder or the database files
// in it. Host keys and operators' keys are checked where they are read.
func SafeFolder(folder string) error {
	for _, path := range []string{folder, filepath.Join(folder, store.FileName), filepath.Join(folder, store.TailName)} {
		if err := owner.Safe(path); err != nil {
			return err
		}
	}
	return nil
}

// CheckDatabase returns [store.ErrMissing] if a folder has host keys or a database's journal, but no
// database. Then a server has used the folder, and the database was lost or its disk is not mounted.
func CheckDatabase(folder string) error {
	if _, err := os.Lstat(filepath.Join(folder, store.FileName)); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, pattern := range []string{sshd.HostKeyFiles, store.TailName, store.FileName + "-journal"} {
		if found, err := filepath.Glob(filepath.Join(folder, pattern)); err == nil && len(found) > 0 {
			return fmt.Errorf("%w, although %s exists", store.ErrMissing, found[0])
		}
	}
	return nil
}

// FreshAdvice tells the operator how to replace an unusable database.
const FreshAdvice = "restore it from a backup with broadside restore, or start the server once with --fresh-database: it keeps the old database, if there is one, under another name and creates a new one"

// adviseStore adds advice for the operator to the error of an unusable database.
func (c *Config) adviseStore(err error) error {
	if c.Store == "" && Unusable(err) {
		return fmt.Errorf("%w: %s", err, FreshAdvice)
	}
	return err
}

// Unusable reports whether an error means that the database must be replaced.
func Unusable(err error) bool {
	return errors.Is(err, store.ErrEmpty) || errors.Is(err, store.ErrMissing) || errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotOurs)
}

// OldFolder returns the folder in data that only earlier versions used, or "".
func OldFolder(data string) string {
	folder := filepath.Join(data, "cluster")
	info, err := os.Lstat(folder)
	if err != nil || !info.IsDir() {
		return ""
	}
	return folder
}
