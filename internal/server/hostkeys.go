package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"broadside/internal/store"
	"broadside/sshd"
)

// Where host keys can be besides in a folder.
const (
	KeysInStore       = "store"
	keysInEnvironment = "env"

	KeyVariable  = "BROADSIDE_HOST_KEY_PEM" // private keys in PEM
	keyStateName = "host keys"              // in the store: the same
	keyDatabase  = "the database"
)

// KeyPlace is where the host keys are: a folder, keysInStore or
// keysInEnvironment.
func (c *Config) KeyPlace() string {
	switch {
	case c.HostKeys != "":
		return c.HostKeys
	case c.Clustered():
		return KeysInStore
	}
	return c.Data
}

// OpenHostKeys reads the host keys, and makes those that have to be there. Into
// the store go those of the data folder, if it has any and the store has none.
func (c *Config) OpenHostKeys(ctx context.Context, db *store.Store) ([]sshd.HostKey, error) {
	switch place := c.KeyPlace(); place {
	case keysInEnvironment:
		return keysOfEnvironment()
	case KeysInStore:
		kept, err := db.State.Get(ctx, keyStateName)
		if err != nil {
			return nil, err
		}
		text := []byte(kept)
		if kept == "" {
			if text, err = sshd.HostKeyText(c.Data); err != nil {
				return nil, err
			}
		}
		if text, err = sshd.CompleteHostKeys(text, c.ECDSA); err != nil {
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
		return sshd.OpenHostKeys(place, c.ECDSA)
	}
}

// ReadHostKeys reads the host keys that there are.
func (c *Config) ReadHostKeys(ctx context.Context) (keys []sshd.HostKey, err error) {
	switch place := c.KeyPlace(); place {
	case keysInEnvironment:
		return keysOfEnvironment()
	case KeysInStore:
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

// ChangeHostKeys prepares the next host keys, or puts them in the place of the
// old ones, and tells what has changed.
func (c *Config) ChangeHostKeys(ctx context.Context, rotate bool) (changed []string, err error) {
	switch place := c.KeyPlace(); place {
	case keysInEnvironment:
		return nil, errors.New("the host keys are in the environment: change them there; of two keys of one type the second is the next one")
	case KeysInStore:
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
func (c *Config) withStore(ctx context.Context, do func(*store.Store) error) error {
	if _, err := os.Stat(filepath.Join(c.Data, store.FileName)); c.Store == "" && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	db, err := store.Open(ctx, store.Config{Folder: c.Data, URL: c.Store})
	if err != nil {
		return err
	}
	return errors.Join(do(db), db.Close())
}

func keysOfEnvironment() ([]sshd.HostKey, error) {
	text := os.Getenv(KeyVariable)
	if text == "" {
		return nil, fmt.Errorf("the host keys are to be in the environment, but %s is empty: put a private key in PEM into it, or choose another place with --host-keys", KeyVariable)
	}
	return sshd.ParseHostKeys(KeyVariable, []byte(text))
}
