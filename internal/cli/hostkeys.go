package cli

import (
	"broadside/internal/store"
	"broadside/sshd"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Where host keys can be besides in a folder.
const (
	keysInStore       = "store"
	keysInEnvironment = "env"

	keyVariable  = "BROADSIDE_HOST_KEY_PEM" // private keys in PEM
	keyStateName = "host keys"              // in the store: the same
	keyDatabase  = "the database"
)

// keyPlace is where the host keys are: a folder, keysInStore or
// keysInEnvironment.
func (c *serveConfig) keyPlace() string {
	switch {
	case c.hostKeys != "":
		return c.hostKeys
	case c.clustered():
		return keysInStore
	}
	return c.data
}

// openHostKeys reads the host keys, and makes those that have to be there. Into
// the store go those of the data folder, if it has any and the store has none.
func (c *serveConfig) openHostKeys(ctx context.Context, db *store.Store) ([]sshd.HostKey, error) {
	switch place := c.keyPlace(); place {
	case keysInEnvironment:
		return keysOfEnvironment()
	case keysInStore:
		kept, err := db.State.Get(ctx, keyStateName)
		if err != nil {
			return nil, err
		}
		text := []byte(kept)
		if kept == "" {
			if text, err = sshd.HostKeyText(c.data); err != nil {
				return nil, err
			}
		}
		if text, err = sshd.CompleteHostKeys(text, c.ecdsa); err != nil {
			return nil, err
		}
		if kept != string(text) { // unless another server is faster
			// The nodes of a cluster need the keys before one of them is active, so their
			// own stores cannot change anything yet.
			if err := c.withStore(ctx, func(db *store.Store) (err error) {
				kept, err = db.State.SetIfUnchanged(ctx, keyStateName, kept, string(text))
				return err
			}); err != nil {
				return nil, err
			}
		}
		return sshd.ParseHostKeys(keyDatabase, []byte(kept))
	default:
		if err := os.MkdirAll(place, 0o700); err != nil {
			return nil, fmt.Errorf("the folder for the host keys cannot be made: %w: choose another with --host-keys", err)
		}
		return sshd.OpenHostKeys(place, c.ecdsa)
	}
}

// readHostKeys reads the host keys that there are.
func (c *serveConfig) readHostKeys(ctx context.Context) (keys []sshd.HostKey, err error) {
	switch place := c.keyPlace(); place {
	case keysInEnvironment:
		return keysOfEnvironment()
	case keysInStore:
		err = c.withStore(ctx, func(db *store.Store) error {
			text, err := db.State.Get(ctx, keyStateName)
			if err == nil && text != "" {
				keys, err = sshd.ParseHostKeys(keyDatabase, []byte(text))
			}
			return err
		})
		return keys, err
	default:
		return sshd.HostKeys(place)
	}
}

// changeHostKeys prepares the next host keys, or puts them in the place of the
// old ones, and tells what has changed.
func (c *serveConfig) changeHostKeys(ctx context.Context, rotate bool) (changed []string, err error) {
	switch place := c.keyPlace(); place {
	case keysInEnvironment:
		return nil, errors.New("the host keys are in the environment: change them there; of two keys of one type the second is the next one")
	case keysInStore:
		change := sshd.PrepareHostKeyText
		if rotate {
			change = sshd.RotateHostKeyText
		}
		err = c.withStore(ctx, func(db *store.Store) error {
			text, err := db.State.Get(ctx, keyStateName)
			if err != nil || text == "" {
				return err
			}
			next, n, err := change([]byte(text))
			if err != nil || n == 0 {
				return err
			}
			kept, err := db.State.SetIfUnchanged(ctx, keyStateName, text, string(next))
			if err == nil && kept != string(next) {
				err = errors.New("somebody else has changed the host keys just now")
			}
			if err == nil {
				changed = []string{fmt.Sprintf("host keys in %s: %d", keyDatabase, n)}
			}
			return err
		})
		return changed, err
	default:
		if rotate {
			return sshd.RotateHostKeys(place)
		}
		return sshd.PrepareHostKeys(place)
	}
}

// withStore opens the store for a moment, if there is one. A server may be at
// work on it.
func (c *serveConfig) withStore(ctx context.Context, do func(*store.Store) error) error {
	if _, err := os.Stat(filepath.Join(c.data, store.FileName)); c.store == "" && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	db, err := store.Open(ctx, store.Config{Folder: c.data, URL: c.store})
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}

func keysOfEnvironment() ([]sshd.HostKey, error) {
	text := os.Getenv(keyVariable)
	if text == "" {
		return nil, fmt.Errorf("the host keys are to be in the environment, but %s is empty: put a private key in PEM into it, or choose another place with --host-keys", keyVariable)
	}
	return sshd.ParseHostKeys(keyVariable, []byte(text))
}
