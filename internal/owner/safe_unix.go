//go:build unix

package owner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// maxLinks is the maximum number of symbolic links in a path.
const maxLinks = 40

// Safe returns an error, for the operator, if another user can change or replace a file or
// folder. It follows the rules of OpenSSH's StrictModes: the file or folder, and each folder
// above it, must belong to root or to the user of this process, and others must not have write
// permission.
//
// There are three exceptions. Folders above may have the sticky bit, like /tmp, where users
// cannot replace the files of others. The group may write to a folder if it is the owner's
// private group. If this process runs as root, files may belong to the owner of the folder,
// which is the user that the server runs as.
//
// A path that does not exist is safe if the folders above it are.
func Safe(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	trusted := []uint32{0, uint32(os.Geteuid())}
	if os.Geteuid() == 0 {
		trusted = append(trusted, folderOwner(path)...)
	}
	return walk(path, trusted)
}

// folderOwner returns the owner of a folder, or of the folder of a file, if it exists.
func folderOwner(path string) []uint32 {
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() {
		info, err = os.Stat(filepath.Dir(path))
	}
	if err != nil {
		return nil
	}
	return []uint32{uid(info)}
}

func uid(info fs.FileInfo) uint32 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Uid
	}
	return 0
}

// walk checks an absolute path from the root folder down, following symbolic links.
func walk(path string, trusted []uint32) error {
	current, rest := "/", split(path)
	for links := 0; ; {
		info, err := os.Lstat(current)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if owner := uid(info); !slices.Contains(trusted, owner) {
			return fmt.Errorf("%s belongs to another user (%d): run chown to give it to the server's user or to root", current, owner)
		}
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			if links++; links > maxLinks {
				return fmt.Errorf("%s: %w", path, syscall.ELOOP)
			}
			target, err := os.Readlink(current)
			if err != nil {
				return err
			}
			if !filepath.IsAbs(target) {
				target = filepath.Join(filepath.Dir(current), target)
			}
			current, rest = "/", append(split(target), rest...)
			continue
		case !guarded(info, len(rest) > 0):
			return fmt.Errorf("other users can write to %s (mode %04o): run chmod go-w %s", current, mode(info), current)
		}
		if len(rest) == 0 {
			return nil
		}
		current, rest = filepath.Join(current, rest[0]), rest[1:]
	}
}

// split returns the names in an absolute path.
func split(path string) []string {
	return strings.FieldsFunc(filepath.Clean(path), func(r rune) bool { return r == '/' })
}

// mode returns a file's mode as chmod takes it.
func mode(info fs.FileInfo) fs.FileMode {
	m := info.Mode().Perm()
	if info.Mode()&fs.ModeSticky != 0 {
		m |= 0o1000
	}
	return m
}

// guarded reports whether only the owner can write to a file or folder, or replace the next
// folder of the path in it.
func guarded(info fs.FileInfo, onTheWay bool) bool {
	switch others := info.Mode().Perm() & 0o022; {
	case others == 0:
		return true
	case !info.IsDir():
		return false
	case onTheWay && info.Mode()&fs.ModeSticky != 0:
		return true
	default:
		return others == 0o020 && privateGroup(info)
	}
}

// privateGroup reports whether the group of a file is its owner's private group. Many systems
// create one for each user and give it write permission to the user's files.
func privateGroup(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok || s.Uid == 0 {
		return false
	}
	u, err := user.LookupId(strconv.FormatUint(uint64(s.Uid), 10))
	if err != nil {
		return false
	}
	g, err := user.LookupGroupId(u.Gid)
	return err == nil && g.Name == u.Username && g.Gid == strconv.FormatUint(uint64(s.Gid), 10)
}
