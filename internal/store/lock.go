package store

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"broadside/internal/owner"
)

// lockName is the file in the data folder that an exclusive store keeps locked. The
// operating system unlocks it when the process ends. The file is never removed; otherwise
// two processes could lock different files of the same name.
const lockName = "broadside.lock"

// lockFolder locks an existing data folder until the lock is closed, or returns
// [ErrInUse].
func lockFolder(folder string) (*flock.Flock, error) {
	l := flock.New(filepath.Join(folder, lockName), flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: l.Path(), Err: err}
	}
	if !ok {
		return nil, ErrInUse
	}
	owner.Inherit(l.Path())
	return l, nil
}
