//go:build unix

package e2e

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"broadside/internal/store"
)

// TestUnwritableFolder checks that a server that cannot write to its data folder prints one
// line and changes nothing.
func TestUnwritableFolder(t *testing.T) {
	t.Parallel()
	binary := programPath(t)
	filled := t.TempDir()
	if err := os.Chmod(filepath.Dir(filled), 0o755); err != nil { // for another user
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), store.Config{Folder: filled})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, folder, missing, says string }{
		{"empty", t.TempDir(), "", "check the permissions of the data folder"},
		{"with a database", filled, "", "check the permissions of the data folder"},
		{"not there", t.TempDir(), "data", "cannot create the data folder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := listNames(t, c.folder)
			for _, name := range before {
				if err := os.Chmod(filepath.Join(c.folder, name), 0o444); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(c.folder, 0o555); err != nil {
				t.Fatal(err)
			}
			// The test can remove only a writable folder.
			defer os.Chmod(c.folder, 0o755)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			cmd := exec.CommandContext(ctx, binary, "serve", "--ssh", "127.0.0.1:0", "--relay", "127.0.0.1:0", "--data", filepath.Join(c.folder, c.missing))
			if os.Geteuid() == 0 { // root may write everywhere
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			}
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Fatalf("it ended with %v:\n%s", err, out)
			}
			if said := strings.TrimSpace(string(out)); !strings.Contains(said, c.says) || !strings.Contains(said, "permission denied") ||
				strings.Contains(said, "\n") || strings.Contains(said, "reach the database server") {
				t.Errorf("it said:\n%s", said)
			}
			if after := listNames(t, c.folder); strings.Join(after, " ") != strings.Join(before, " ") {
				t.Errorf("it has left %v where %v was", after, before)
			}
		})
	}
}

// listNames returns the names of the files in a folder.
func listNames(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}
