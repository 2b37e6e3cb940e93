package cli

import (
	"errors"
	"fmt"
	"path/filepath"

	"broadside/internal/owner"
	"broadside/internal/store"
)

// safeData refuses a data folder that others than root and the server's user can
// change.
func (c *serveConfig) safeData() error {
	if err := safeFolder(c.data); err != nil {
		return fmt.Errorf("the data folder is not safe: %w", err)
	}
	return nil
}

// safeFolder checks a data folder and the files in it that others must not
// change. Host keys and operators' keys are checked where they are read.
func safeFolder(folder string) error {
	for _, path := range []string{folder, filepath.Join(folder, store.FileName), filepath.Join(folder, store.TailName)} {
		if err := owner.Safe(path); err != nil {
			return err
		}
	}
	return nil
}

// freshAdvice is how an operator replaces a database that cannot be used.
const freshAdvice = "restore a backup with broadside restore, or start the server once with --fresh-database: it keeps the old database under another name and begins with a new one"

// adviseStore adds to the error of a database that cannot be used what the
// operator can do.
func (c *serveConfig) adviseStore(err error) error {
	if c.store == "" && unusable(err) {
		return fmt.Errorf("%w: %s", err, freshAdvice)
	}
	return err
}

// unusable reports whether an error means that the database has to be replaced.
func unusable(err error) bool {
	return errors.Is(err, store.ErrEmpty) || errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotOurs)
}
