package store

import (
	"os"
	"path/filepath"

	"github.com/gofrs/flock"

	"broadside/internal/owner"
)

// lockName is a file in the data folder that whoever wants to be alone at the
// database holds locked. The system lets go of it when the process ends, however
// it does. It stays there: were it removed, two could hold one of its name.
const lockName = "broadside.lock"

// lockFolder locks a data folder, which is there, until the lock is closed:
// [ErrInUse] if somebody else has it locked.
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
