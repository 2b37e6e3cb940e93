//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/need"
	"broadside/sshd"
)

// TestRootWorksForTheServer checks that a server that runs as another user can read what
// root creates in its data folder.
func TestRootWorksForTheServer(t *testing.T) {
	t.Parallel()
	need.Root(t)
	elsewhere := t.TempDir()
	s, err := store.Open(t.Context(), store.Config{Folder: elsewhere})
	if err != nil {
		t.Fatal(err)
	}
	backup := filepath.Join(elsewhere, "backup")
	if err := store.Backup(t.Context(), elsewhere, backup); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	const user = 12345
	data := t.TempDir()
	if err := os.Chown(data, user, user); err != nil {
		t.Fatal(err)
	}
	if _, err := sshd.OpenHostKeys(data, true); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"restore", backup}, {"restore", backup}} {
		if _, err := runCLI(t.Context(), append(args, "--data", data)...); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
	}
	files, err := os.ReadDir(data)
	// The folder has two keys, a database and a lock.
	if err != nil || len(files) < 4 {
		t.Fatalf("there are %v, %v", files, err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		if owner := info.Sys().(*syscall.Stat_t); owner.Uid != user || owner.Gid != user || info.Mode().Perm() != 0o600 {
			t.Errorf("%s belongs to %d:%d, with mode %04o", f.Name(), owner.Uid, owner.Gid, info.Mode().Perm())
		}
	}
}
