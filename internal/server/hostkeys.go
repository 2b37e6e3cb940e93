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

// Locations of host keys other than a folder, and the names used there.
const (
	KeysInStore       = "store"
	keysInEnvironment = "env"

	KeyVariable  = "BROADSIDE_HOST_KEY_PEM" // private keys in PEM
	keyStateName = "host keys"              // the same, as a value in the store
	keyDatabase  = "the database"
)

// KeyPlace returns the location of the host keys: a folder, [KeysInStore], or "env" for
// the environment.
func (c *Config) KeyPlace() string {
	switch {
	case c.HostKeys != "":
		return c.HostKeys
	case c.Store != "":
		return KeysInStore
	}
	return c.Data
}

// OpenHostKeys reads the host keys and creates missing ones. If the keys belong in the
// store and it has none, the keys in the data folder are copied to it.
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
		if kept != string(text) { // another server may do the same; the first one wins
			kept, err = db.State.SetIfUnchanged(ctx, keyStateName, kept, string(text))
			if err != nil {
				return nil, err
			}
		}
		return sshd.ParseHostKeys(keyDatabase, []byte(kept))
	default:
		if err := os.MkdirAll(place, 0o700); err != nil {
			return nil, fmt.Errorf("cannot create the folder for the host keys: %w: choose another one with --host-keys", err)
		}
		return sshd.OpenHostKeys(place, c.ECDSA)
	}
}

// ReadHostKeys reads the existing host keys without creating any.
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

// ChangeHostKeys creates the next host keys or, if rotate is set, replaces the current
// keys with them. It returns a description of the change for the operator.
func (c *Config) ChangeHostKeys(ctx context.Context, rotate bool) (changed []string, err error) {
	switch place := c.KeyPlace(); place {
	case keysInEnvironment:
		return nil, errors.New("the host keys are in the environment: change them there; of two keys of one type, the second is the next key")
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
				err = errors.New("the host keys were changed by another process at the same time: run the command again")
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

// withStore calls do with the store, if it exists. A server may be using the store.
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
		return nil, fmt.Errorf("--host-keys is env, but the variable %s is empty: set it to a private key in PEM, or choose another place with --host-keys", KeyVariable)
	}
	return sshd.ParseHostKeys(KeyVariable, []byte(text))
}
