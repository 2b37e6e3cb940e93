package storetest

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"broadside/internal/store"
)

// Open opens an empty store in a temporary folder. It closes with the test.
func Open(t testing.TB) *store.Store { return OpenDisk(t, store.Config{}).Store }

// Disk is a store with another connection to its database, by which a test can break it.
type Disk struct {
	*store.Store
	t  testing.TB
	db *sql.DB
}

// OpenDisk opens an SQLite store, in a temporary folder unless cfg has one. It closes with
// the test.
func OpenDisk(t testing.TB, cfg store.Config) *Disk {
	t.Helper()
	if cfg.Folder == "" {
		cfg.Folder = NewFolder(t)
	}
	s, err := store.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(cfg.Folder, store.FileName)+"?_busy_timeout=10000")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(db.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	})
	return &Disk{s, t, db}
}

// NewFolder returns a temporary folder with the database of an empty store. A store opens it much
// faster than it creates one, in particular under the race detector.
func NewFolder(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	database, err := emptyDatabase()
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, store.FileName), database, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// emptyDatabase returns the database of an empty store.
var emptyDatabase = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "storetest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	s, err := store.Open(context.Background(), store.Config{Folder: folder})
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(folder, store.FileName))
})

// Exec executes a statement.
func (d *Disk) Exec(statement string) {
	d.t.Helper()
	if _, err := d.db.Exec(statement); err != nil {
		d.t.Fatal(err)
	}
}
