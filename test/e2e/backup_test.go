package e2e

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"broadside/internal/server"
	"broadside/internal/store"
)

// TestBackup copies the database of a running server and opens the copy.
func TestBackup(t *testing.T) {
	t.Parallel()
	var data string
	h := open(t, func(c *server.Config) { data = c.Data })
	h.come(t, "ann")
	folder := t.TempDir()
	file := filepath.Join(folder, store.FileName)
	out, err := try(t.Context(), "backup", file, "--data", data)
	if err != nil || !strings.Contains(out, file) {
		t.Fatalf("%q, %v", out, err)
	}
	s, err := store.Open(t.Context(), store.Config{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.Accounts.ByName(t.Context(), "ann"); err != nil {
		t.Error(err)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := try(t.Context(), "backup", file, "--data", data); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("a second copy over the first: %v", err)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Error("the copy was touched")
	}
	if _, err := try(t.Context(), "backup", filepath.Join(folder, "other"), "--data", t.TempDir()); err == nil {
		t.Error("a folder without a database was backed up")
	}

	_, err = newServer(t.Context(), server.Config{
		SSH: "127.0.0.1:0", Relay: "127.0.0.1:0", Data: data, LogLevel: "error", LogFormat: "text", Audit: "flag",
	}, testLog{t})
	if !errors.Is(err, store.ErrInUse) || !strings.Contains(err.Error(), data+": a server is using the database: stop it first") {
		t.Errorf("a second server in the folder: %v", err)
	}
	if _, err := try(t.Context(), "restore", file, "--data", data); err == nil || !strings.Contains(err.Error(), "stop it first") {
		t.Errorf("restored while the server runs: %v", err)
	}
	h.come(t, "bob")
	h.stop()
	h.stopped <- <-h.stopped
	out, err = try(t.Context(), "restore", file, "--data", data)
	if err != nil || !strings.Contains(out, ".before-") {
		t.Fatalf("%q, %v", out, err)
	}
	restored, err := store.Check(t.Context(), data)
	if want, err2 := store.Check(t.Context(), file); err != nil || err2 != nil || restored.Players != want.Players {
		t.Errorf("restored: %+v, %v; the backup: %+v, %v", restored, err, want, err2)
	}
	h = open(t, func(c *server.Config) { c.Data = data }) // and it serves
	h.come(t, "cid")
}

// TestBackupsInAFolder checks that the newest backups are kept.
func TestBackupsInAFolder(t *testing.T) {
	t.Parallel()
	var data string
	open(t, func(c *server.Config) { data = c.Data })
	folder := t.TempDir()
	for _, name := range []string{"broadside-20250101T000000Z.db", "broadside-20250201T000000Z.db", "broadside-notes.db", "other"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := try(t.Context(), "backup", folder, "--keep", "2", "--data", data); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 4 || filepath.Base(files[0]) != "broadside-20250201T000000Z.db" {
		t.Errorf("left: %v, %v", files, err)
	}
	if h, err := store.Check(t.Context(), files[1]); err != nil || h.Schema == 0 {
		t.Errorf("%s: %+v, %v", files[1], h, err)
	}
	fresh := filepath.Join(folder, "new", "folder")
	if _, err := try(t.Context(), "backup", fresh, "--keep", "1", "--data", data); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(fresh); err != nil || len(files) != 1 {
		t.Errorf("a new folder has %v, %v", files, err)
	}
	if _, err := try(t.Context(), "backup", filepath.Join(folder, "new.db"), "--keep", "2", "--data", data); err == nil {
		t.Error("--keep without a folder was taken")
	}
}

// TestMissingDatabase checks that a server does not start anew beside a host key or a journal, unless
// its operator wants that, and that a backup can be restored there.
func TestMissingDatabase(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	database := filepath.Join(data, store.FileName)
	h := open(t, func(c *server.Config) { c.Data = data })
	h.close(t)
	if _, err := try(t.Context(), "backup", filepath.Join(data, "copy"), "--data", data); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(database); err != nil {
		t.Fatal(err)
	}
	start := []string{"serve", "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0", "--data", data}
	refused := func(beside string) {
		t.Helper()
		_, err := try(t.Context(), start...)
		if err == nil || !strings.Contains(err.Error(), "the database is missing, although "+filepath.Join(data, beside)+" exists: restore it from a backup with broadside restore, or start the server once with --fresh-database") {
			t.Errorf("beside %s: %v", beside, err)
		}
		out, err := try(t.Context(), "doctor", "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0", "--data", data)
		if err == nil || !strings.Contains(out, "FAIL  database       the database is missing") {
			t.Errorf("the doctor says %v\n%s", err, out)
		}
	}
	refused("ssh_host_ed25519_key")
	if _, err := try(t.Context(), "restore", filepath.Join(data, "copy"), "--data", data); err != nil {
		t.Error(err)
	}
	open(t, func(c *server.Config) { c.Data = data }).close(t)
	for _, name := range []string{store.FileName, "ssh_host_ed25519_key"} {
		if err := os.Remove(filepath.Join(data, name)); err != nil {
			t.Fatal(err)
		}
	}
	refused(store.TailName)
	open(t, func(c *server.Config) { c.Data, c.FreshDatabase = data, true }).close(t)
	open(t, func(c *server.Config) { c.Data = data }).close(t)
}
