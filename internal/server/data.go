package server

import (
	"errors"
	"fmt"
	"path/filepath"

	"broadside/internal/owner"
	"broadside/internal/store"
)

// safeData refuses a data folder that others than root and the server's user can
// change.
func (c *Config) safeData() error {
	if err := SafeFolder(c.Data); err != nil {
		return fmt.Errorf("the data folder is not safe: %w", err)
	}
	return nil
}

// SafeFolder checks a data folder and the files in it that others must not
// change. Host keys and operators' keys are checked where they are read.
func SafeFolder(folder string) error {
	for _, path := range []string{folder, filepath.Join(folder, store.FileName), filepath.Join(folder, store.TailName)} {
		if err := owner.Safe(path); err != nil {
			return err
		}
	}
	return nil
}

// FreshAdvice is how an operator replaces a database that cannot be used.
const FreshAdvice = "restore a backup with broadside restore, or start the server once with --fresh-database: it keeps the old database under another name and begins with a new one"

// adviseStore adds to the error of a database that cannot be used what the
// operator can do.
func (c *Config) adviseStore(err error) error {
	if c.Store == "" && Unusable(err) {
		return fmt.Errorf("%w: %s", err, FreshAdvice)
	}
	return err
}

// Unusable reports whether an error means that the database has to be replaced.
func Unusable(err error) bool {
	return errors.Is(err, store.ErrEmpty) || errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotOurs)
}
