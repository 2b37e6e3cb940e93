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

// checkData returns an error if other users can change the data folder.
func (c *Config) checkData() error {
	if err := CheckFolder(c.Data); err != nil {
		return fmt.Errorf("the data folder is not safe: %w", err)
	}
	return nil
}

// CheckFolder returns an error if other users can change a data folder or its database. Host keys and
// operators' keys are checked where they are read.
func CheckFolder(folder string) error {
	for _, path := range []string{folder, filepath.Join(folder, store.FileName)} {
		if err := owner.Check(path); err != nil {
			return err
		}
	}
	return nil
}

// CheckDatabase returns an error if a folder has host keys or a database's journal, but no database. A
// server has used such a folder, and the database was lost or its disk is not mounted.
func CheckDatabase(folder string) error {
	if _, err := os.Lstat(filepath.Join(folder, store.FileName)); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, pattern := range []string{sshd.HostKeyPattern, store.FileName + "-journal"} {
		if found, err := filepath.Glob(filepath.Join(folder, pattern)); err == nil && len(found) > 0 {
			return fmt.Errorf("the database is missing, although %s exists: mount its disk, or restore a backup with "+
				"broadside restore", found[0])
		}
	}
	return nil
}

// FindOldFolder returns the folder in the data folder that only earlier versions used, or "".
func FindOldFolder(data string) string {
	folder := filepath.Join(data, "cluster")
	info, err := os.Lstat(folder)
	if err != nil || !info.IsDir() {
		return ""
	}
	return folder
}
