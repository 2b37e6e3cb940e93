//go:build unix

package owner_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"broadside/internal/owner"
	"broadside/internal/test/need"
)

const stranger = 54321 // the ID of another user

func TestSafe(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, folder, file string) string // returns the path to check
		says   string                                         // empty: it is safe
		asRoot bool
	}{
		{name: "a file", change: func(_ *testing.T, _, file string) string { return file }},
		{name: "a folder", change: func(_ *testing.T, folder, _ string) string { return folder }},
		{name: "neither yet", change: func(_ *testing.T, folder, _ string) string { return filepath.Join(folder, "a", "b") }},
		{name: "file for all to write", says: "keys (mode 0666): run chmod go-w", change: func(t *testing.T, _, file string) string {
			chmod(t, file, 0o666)
			return file
		}},
		{name: "file for the group to write", says: "keys (mode 0620)", change: func(t *testing.T, _, file string) string {
			chmod(t, file, 0o620)
			return file
		}},
		{name: "file for all to read", change: func(t *testing.T, _, file string) string {
			chmod(t, file, 0o644)
			return file
		}},
		{name: "folder for all to write", says: "folder (mode 0777)", change: func(t *testing.T, folder, file string) string {
			chmod(t, folder, 0o777)
			return file
		}},
		{name: "folder above it", says: "above (mode 0777)", change: func(t *testing.T, folder, file string) string {
			chmod(t, filepath.Dir(folder), 0o777)
			return file
		}},
		{name: "file that is not there in a folder for all to write", says: "folder (mode 0777)", change: func(t *testing.T, folder, _ string) string {
			chmod(t, folder, 0o777)
			return filepath.Join(folder, "other")
		}},
		{name: "sticky folder above it", change: func(t *testing.T, folder, file string) string {
			chmod(t, filepath.Dir(folder), 0o777|fs.ModeSticky)
			return file
		}},
		{name: "sticky folder itself", says: "folder (mode 1777)", change: func(t *testing.T, folder, _ string) string {
			chmod(t, folder, 0o777|fs.ModeSticky)
			return folder
		}},
		{name: "link", change: func(t *testing.T, folder, file string) string { return link(t, file, filepath.Join(folder, "link")) }},
		{name: "relative link", change: func(t *testing.T, folder, _ string) string {
			return filepath.Join(link(t, "above/folder", filepath.Join(folder, "..", "..", "link")), "keys")
		}},
		{name: "link that leads to a file for all to write", says: "keys (mode 0666)", change: func(t *testing.T, folder, file string) string {
			chmod(t, file, 0o666)
			return link(t, file, filepath.Join(folder, "link"))
		}},
		{name: "link in a folder for all to write", says: "public (mode 0777)", change: func(t *testing.T, folder, file string) string {
			public := filepath.Join(folder, "public")
			if err := os.Mkdir(public, 0o700); err != nil {
				t.Fatal(err)
			}
			chmod(t, public, 0o777)
			return link(t, file, filepath.Join(public, "link"))
		}},
		{name: "links in a circle", says: "too many levels", change: func(t *testing.T, folder, _ string) string {
			a, b := filepath.Join(folder, "a"), filepath.Join(folder, "b")
			link(t, a, b)
			return link(t, b, a)
		}},
		{name: "file of another user", asRoot: true, says: "keys belongs to another user (54321)", change: func(t *testing.T, _, file string) string {
			chown(t, file)
			return file
		}},
		{name: "folder above of another user", asRoot: true, says: "above belongs to another user", change: func(t *testing.T, folder, file string) string {
			chown(t, filepath.Dir(folder))
			return file
		}},
		{name: "folder of the server's user, for root", asRoot: true, change: func(t *testing.T, folder, file string) string {
			chown(t, folder)
			chown(t, file)
			return file
		}},
		{name: "link of another user in a sticky folder", asRoot: true, says: "link belongs to another user", change: func(t *testing.T, folder, file string) string {
			above := filepath.Dir(folder)
			chmod(t, above, 0o777|fs.ModeSticky)
			l := link(t, file, filepath.Join(above, "link"))
			if err := os.Lchown(l, stranger, stranger); err != nil {
				t.Fatal(err)
			}
			return l
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.asRoot {
				need.Root(t)
			}
			top := t.TempDir()
			chmod(t, top, 0o755) // whatever the umask
			folder := filepath.Join(top, "above", "folder")
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(folder, "keys")
			if err := os.WriteFile(file, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			err := owner.Safe(c.change(t, folder, file))
			if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
				t.Errorf("it says %v, not %q", err, c.says)
			}
		})
	}
}

func chmod(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func chown(t *testing.T, path string) {
	t.Helper()
	if err := os.Chown(path, stranger, stranger); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, name string) string {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
	return name
}
