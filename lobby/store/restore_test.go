package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"broadside/lobby/store"
)

func TestRestore(t *testing.T) {
	aboutFiles(t)
	folder, elsewhere := t.TempDir(), t.TempDir()
	s := openIn(t, folder)
	person(t, s, "Ann")
	backup := filepath.Join(elsewhere, "backup")
	if err := s.Backup(ctx, backup); err != nil {
		t.Fatal(err)
	}
	person(t, s, "Bob")

	_, err := store.Restore(ctx, backup, folder)
	wantError(t, "a server is at work", err, store.ErrInUse)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	aside, err := store.Restore(ctx, backup, folder)
	if err != nil || !strings.HasPrefix(aside, filepath.Join(folder, store.FileName)+".before-") {
		t.Fatalf("restored: %q, %v", aside, err)
	}
	if h, err := store.Check(ctx, aside); err != nil || h.Players != 2 {
		t.Errorf("what was there is %+v, %v", h, err)
	}
	s = openIn(t, folder)
	if _, err := s.PlayerByName(ctx, "Ann"); err != nil {
		t.Error(err)
	}
	_, err = s.PlayerByName(ctx, "Bob")
	wantError(t, "who came after the backup", err, store.ErrNotFound)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(folder, store.FileName)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}

	fresh := filepath.Join(elsewhere, "new", "folder")
	if aside, err := store.Restore(ctx, backup, fresh); err != nil || aside != "" {
		t.Errorf("into a new folder: %q, %v", aside, err)
	}
	onlyDatabase(t, fresh)

	broken := filepath.Join(elsewhere, "broken")
	data, err := os.ReadFile(backup)
	if err != nil {
		t.Fatal(err)
	}
	for i := 2 * 4096; i < len(data); i++ {
		data[i] = 0xa5
	}
	if err := os.WriteFile(broken, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Restore(ctx, broken, fresh); err == nil {
		t.Error("a broken backup was restored")
	}
	if err := os.WriteFile(broken, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = store.Restore(ctx, broken, fresh)
	wantError(t, "no database", err, store.ErrNotOurs)
	onlyDatabase(t, fresh)
	if h, err := store.Check(ctx, fresh); err != nil || h.Players != 1 {
		t.Errorf("after restores that failed: %+v, %v", h, err)
	}
}
