package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/must"
)

// TestExclusiveFolder checks that only one exclusive store can open the database in a
// folder.
func TestExclusiveFolder(t *testing.T) {
	skipOnPostgres(t)
	folder, elsewhere := t.TempDir(), t.TempDir()
	cfg := store.Config{Folder: folder, Exclusive: true}
	first := must.Get(store.Open(ctx, cfg))
	createPerson(t, first, "Ann")
	requireInUse(t, cfg)

	backup := filepath.Join(elsewhere, "backup")
	if err := store.Backup(ctx, folder, backup); err != nil {
		t.Errorf("a backup beside it: %v", err)
	}
	away := filepath.Join(elsewhere, "away")
	for _, move := range [][2]string{{filepath.Join(folder, store.FileName), away}, {away, filepath.Join(folder, store.FileName)}} {
		wantError(t, "restoring beside it", store.Restore(ctx, backup, folder), store.ErrInUse)
		if err := os.Rename(move[0], move[1]); err != nil { // even without a database, the folder is locked
			t.Fatal(err)
		}
	}
	must.Do(first.Close())
	second, err := store.Open(ctx, cfg)
	if err != nil {
		t.Fatalf("after the first has left: %v", err)
	}
	must.Do(second.Close())
	if err := store.Restore(ctx, backup, folder); err != nil {
		t.Errorf("after both have left: %v", err)
	}

	// The folder of a database that cannot be opened stays unlocked.
	file := filepath.Join(folder, store.FileName)
	must.Do(os.WriteFile(file, []byte("no database"), 0o600))
	_, err = store.Open(ctx, cfg)
	wantError(t, "no database", err, store.ErrNotOurs)
	must.Do(os.Remove(file))
	reopenStore(t, folder).Close()
}

// requireInUse checks that a store cannot be opened, and that the error says why.
func requireInUse(t *testing.T, cfg store.Config) {
	t.Helper()
	s, err := store.Open(ctx, cfg)
	if err == nil {
		s.Close()
	}
	wantError(t, "a second one", err, store.ErrInUse)
	if !strings.Contains(err.Error(), cfg.Folder) || strings.Contains(err.Error(), "\n") {
		t.Errorf("it is said like this: %v", err)
	}
}
