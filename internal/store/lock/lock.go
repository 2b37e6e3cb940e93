// Package lock lets one process at a time use a data folder.
package lock

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"broadside/internal/owner"
)

// ErrInUse is returned if another process has locked the folder.
var ErrInUse = errors.New("a server is using the database: stop it first")

// name is the file in the data folder that an exclusive store keeps locked. The
// operating system unlocks it when the process ends. The file is never removed; otherwise
// two processes could lock different files of the same name.
const name = "broadside.lock"

// Folder locks an existing data folder until the lock is closed, or returns
// [ErrInUse].
func Folder(folder string) (*flock.Flock, error) {
	l := flock.New(filepath.Join(folder, name), flock.SetPermissions(0o600))
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
