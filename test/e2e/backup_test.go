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
	if err != nil || !strings.Contains(out, "is now a copy") {
		t.Fatalf("%q, %v", out, err)
	}
	restored, err := store.Check(t.Context(), data)
	if want, err2 := store.Check(t.Context(), file); err != nil || err2 != nil || restored.Players != want.Players {
		t.Errorf("restored: %+v, %v; the backup: %+v, %v", restored, err, want, err2)
	}
	h = open(t, func(c *server.Config) { c.Data = data }) // and it serves
	h.come(t, "cid")
}

// TestBackupInAFolder checks that a backup in a folder is named after the time.
func TestBackupInAFolder(t *testing.T) {
	t.Parallel()
	var data string
	open(t, func(c *server.Config) { data = c.Data })
	folder := t.TempDir()
	if _, err := try(t.Context(), "backup", folder, "--data", data); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(folder, "broadside-20??????T??????Z.db"))
	if err != nil || len(files) != 1 {
		t.Fatalf("in the folder: %v, %v", files, err)
	}
	if h, err := store.Check(t.Context(), files[0]); err != nil || h.Schema == 0 {
		t.Errorf("%s: %+v, %v", files[0], h, err)
	}
}

// TestMissingDatabase checks that a server does not start anew beside a host key or a journal, and that
// a backup can be restored there.
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
		if err == nil || !strings.Contains(err.Error(), "the database is missing, although "+filepath.Join(data, beside)+" exists: mount its disk, or restore a backup with broadside restore") {
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
}
