package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	gossh "golang.org/x/crypto/ssh"

	"broadside/internal/store"
	"broadside/sshd"
)

// Locations of host keys other than a folder, and the names used there.
const (
	KeysInStore       = "store"
	keysInEnvironment = "env"

	// KeyVariable has private keys in PEM.
	KeyVariable = "BROADSIDE_HOST_KEY_PEM"
	// keyStateName is the name of the same text in the store.
	keyStateName = "host keys"
)

// HostKeyLocation returns where the host keys are: a folder, [KeysInStore], or "env" for the environment.
func (c *Config) HostKeyLocation() string {
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
func (c *Config) OpenHostKeys(ctx context.Context, db *store.Store) ([]gossh.Signer, error) {
	switch place := c.HostKeyLocation(); place {
	case keysInEnvironment:
		return parseEnvironmentKeys()
	case KeysInStore:
		stored, err := db.State.Get(ctx, keyStateName)
		if err != nil {
			return nil, err
		}
		text := []byte(stored)
		if stored == "" {
			if text, err = sshd.ReadHostKeys(c.Data); err != nil {
				return nil, err
			}
		}
		if text, err = sshd.AddMissingHostKeys(text, c.ECDSA); err != nil {
			return nil, fmt.Errorf("the database: %w", err)
		}
		// Another server may do the same. The first one wins.
		if stored, err = db.State.SetIfUnchanged(ctx, keyStateName, stored, string(text)); err != nil {
			return nil, err
		}
		return sshd.ParseHostKeys([]byte(stored))
	default:
		if err := os.MkdirAll(place, 0o700); err != nil {
			return nil, fmt.Errorf("cannot create the folder for the host keys: %w: choose another one with --host-keys", err)
		}
		return sshd.OpenHostKeys(place, c.ECDSA)
	}
}

// ReadHostKeys reads the host keys without creating any. It may return none.
func (c *Config) ReadHostKeys(ctx context.Context) ([]gossh.Signer, error) {
	var text []byte
	var err error
	switch place := c.HostKeyLocation(); place {
	case keysInEnvironment:
		return parseEnvironmentKeys()
	case KeysInStore:
		text, err = c.readStoredKeys(ctx)
	default:
		text, err = sshd.ReadHostKeys(place)
	}
	if err != nil || len(text) == 0 {
		return nil, err
	}
	return sshd.ParseHostKeys(text)
}

// readStoredKeys returns the text of the host keys in the store, which a server may be using.
func (c *Config) readStoredKeys(ctx context.Context) ([]byte, error) {
	if _, err := os.Stat(filepath.Join(c.Data, store.FileName)); c.Store == "" && errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	db, err := store.Open(ctx, store.Config{Folder: c.Data, URL: c.Store})
	if err != nil {
		return nil, err
	}
	text, err := db.State.Get(ctx, keyStateName)
	return []byte(text), errors.Join(err, db.Close())
}

func parseEnvironmentKeys() ([]gossh.Signer, error) {
	text := os.Getenv(KeyVariable)
	if text == "" {
		return nil, fmt.Errorf("--host-keys is env, but the variable %s is empty: set it to a private key in PEM, or "+
			"choose another place with --host-keys", KeyVariable)
	}
	keys, err := sshd.ParseHostKeys([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", KeyVariable, err)
	}
	return keys, nil
}
