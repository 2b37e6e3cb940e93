package owner_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"broadside/internal/owner"
	"broadside/internal/test/need"
)

// TestReadOnlyMount checks that a file that all may write is safe while it is mounted read-only, like a
// ConfigMap of Kubernetes.
func TestReadOnlyMount(t *testing.T) {
	need.Root(t)
	folder := t.TempDir()
	if err := syscall.Mount("none", folder, "tmpfs", 0, "mode=0777"); err != nil {
		need.Skip(t, "mounting: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(folder, 0) })
	file := filepath.Join(folder, "config")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := owner.Check(file); err == nil {
		t.Error("a file in a folder that all may write is safe")
	}
	if err := syscall.Mount("none", folder, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	if err := owner.Check(file); err != nil {
		t.Errorf("mounted read-only: %v", err)
	}
}
