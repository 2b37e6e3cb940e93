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

// stranger is the ID of another user.
const stranger = 54321

// TestSafe checks paths in a tree that has the folder above/folder with the file keys.
func TestSafe(t *testing.T) {
	const (
		above, folder, keys = "above", "above/folder", "above/folder/keys"
		link                = "above/link"
	)
	type modes = map[string]fs.FileMode
	type links = map[string]string // targets by names; a slash leads to the top of the tree
	for name, c := range map[string]struct {
		path   string // to check
		modes  modes
		links  links
		others []string // what belongs to another user
		says   string   // empty: it is safe
	}{
		"a file":                 {path: keys},
		"a folder":               {path: folder},
		"neither yet":            {path: "above/folder/a/b"},
		"file for all to write":  {path: keys, modes: modes{keys: 0o666}, says: "keys (mode 0666): run chmod go-w"},
		"file for the group":     {path: keys, modes: modes{keys: 0o620}, says: "keys (mode 0620)"},
		"file for all to read":   {path: keys, modes: modes{keys: 0o644}},
		"folder for all":         {path: keys, modes: modes{folder: 0o777}, says: "folder (mode 0777)"},
		"folder above for all":   {path: keys, modes: modes{above: 0o777}, says: "above (mode 0777)"},
		"no file in such folder": {path: "above/folder/x", modes: modes{folder: 0o777}, says: "folder (mode 0777)"},
		"sticky folder above":    {path: keys, modes: modes{above: 0o777 | fs.ModeSticky}},
		"sticky folder itself":   {path: folder, modes: modes{folder: 0o777 | fs.ModeSticky}, says: "folder (mode 1777)"},
		"link":                   {path: link, links: links{link: "/" + keys}},
		"relative link":          {path: "above/link/keys", links: links{link: "folder"}},
		"link to a file for all": {
			path: link, links: links{link: "/" + keys}, modes: modes{keys: 0o666}, says: "keys (mode 0666)",
		},
		"link in a folder for all": {
			path: link, links: links{link: "/" + keys}, modes: modes{above: 0o777}, says: "above (mode 0777)",
		},
		"links in a circle": {path: link, links: links{link: "/above/b", "above/b": "/" + link}, says: "too many levels"},
		"file of another user": {
			path: keys, others: []string{keys}, says: "keys belongs to another user (54321)",
		},
		"folder above of another user": {path: keys, others: []string{above}, says: "above belongs to another user"},
		"folder of the server's user":  {path: keys, others: []string{folder, keys}},
		"no file in such folder yet":   {path: "above/folder/x", others: []string{folder}},
		"another user's link in a sticky": {
			path: link, links: links{link: "/" + keys}, modes: modes{above: 0o777 | fs.ModeSticky}, others: []string{link},
			says: "link belongs to another user",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if len(c.others) > 0 {
				need.Root(t)
			}
			top := t.TempDir()
			in := func(path string) string { return filepath.Join(top, path) }
			check := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			check(os.Chmod(top, 0o755)) // whatever the umask
			check(os.MkdirAll(in(folder), 0o700))
			check(os.WriteFile(in(keys), nil, 0o600))
			for name, target := range c.links {
				if strings.HasPrefix(target, "/") {
					target = in(target)
				}
				check(os.Symlink(target, in(name)))
			}
			for path, mode := range c.modes {
				check(os.Chmod(in(path), mode))
			}
			for _, path := range c.others {
				check(os.Lchown(in(path), stranger, stranger))
			}
			err := owner.Check(in(c.path))
			if (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("Safe() = %v, want %q", err, c.says)
			}
		})
	}
}

// TestSecret checks who can read a file or list a folder.
func TestSecret(t *testing.T) {
	for name, want := range map[string]string{
		"600": "", "400": "", "644": "chmod 600", "604": "chmod 600", "d700": "", "d755": "chmod 700",
	} {
		path := filepath.Join(t.TempDir(), "x")
		mode := fs.FileMode(0)
		for _, digit := range strings.TrimPrefix(name, "d") {
			mode = mode<<3 | fs.FileMode(digit-'0')
		}
		var err error
		if strings.HasPrefix(name, "d") {
			err = os.Mkdir(path, 0o700)
		} else {
			err = os.WriteFile(path, nil, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		err = owner.CheckPrivate(path)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: Secret() = %v, want %q", name, err, want)
		}
	}
}
