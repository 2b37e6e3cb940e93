//go:build unix

package owner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// maxLinks is the maximum number of symbolic links in a path.
const maxLinks = 40

// Check returns an error, for the operator, if another user can change or replace a file or
// folder. It follows the rules of OpenSSH's StrictModes: the file or folder, and each folder
// above it, must belong to root or to the user of this process, and others must not have write
// permission.
//
// There are five exceptions:
//   - Folders above may have the sticky bit, like /tmp, where users cannot replace others' files.
//   - On Linux, the group may write if only trusted users belong to it, such as the owner's private group.
//   - Others may write to a Kubernetes volume, which belongs to root and to a group of this process, and has
//     the setgid bit.
//   - If this process runs as root, files may belong to their folder's owner, as whom the server runs.
//   - Read-only mounts are safe, because no one can change them.
//
// A path that does not exist is safe if the folders above it are.
func Check(path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	trusted := []uint32{0, uint32(os.Geteuid())}
	if os.Geteuid() == 0 {
		trusted = append(trusted, folderOwners(path)...)
	}
	return checkPath(path, trusted)
}

// folderOwners returns a folder's owner, or of a file's folder. The file need not exist.
func folderOwners(path string) []uint32 {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		info, err = os.Stat(filepath.Dir(path))
	}
	if err != nil {
		return nil
	}
	return []uint32{ownerID(info)}
}

func ownerID(info fs.FileInfo) uint32 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Uid
	}
	return 0
}

// checkPath checks an absolute path from the root folder down, following symbolic links.
func checkPath(path string, trusted []uint32) error {
	current, rest := "/", splitPath(path)
	for links := 0; ; {
		info, err := os.Lstat(current)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		owner := ownerID(info)
		if !slices.Contains(trusted, owner) {
			return fmt.Errorf("%s belongs to another user (%d): run chown to give it to the server's user or to root",
				current, owner)
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
			current, rest = "/", append(splitPath(target), rest...)
			continue
		case !isWriteProtected(info, len(rest) > 0, trusted) && !isReadOnly(current):
			return fmt.Errorf("other users can write to %s (mode %04o): run %s",
				current, chmodMode(info), chmodAdvice(current, info, "go-w", info.IsDir() && len(rest) == 0))
		}
		if len(rest) == 0 {
			return nil
		}
		current, rest = filepath.Join(current, rest[0]), rest[1:]
	}
}

func splitPath(path string) []string {
	return strings.FieldsFunc(filepath.Clean(path), func(r rune) bool { return r == '/' })
}

// chmodMode returns a file's mode as an argument of chmod.
func chmodMode(info fs.FileInfo) fs.FileMode {
	m := info.Mode().Perm()
	if info.Mode()&fs.ModeSticky != 0 {
		m |= 0o1000
	}
	if info.Mode()&fs.ModeSetgid != 0 {
		m |= 0o2000
	}
	return m
}

// chmodAdvice returns the commands that make a path safe: chmod with the permissions, and before it chown if
// this process must own the path. Without its group's permissions, only the owner can use the path.
func chmodAdvice(path string, info fs.FileInfo, permissions string, mustOwn bool) string {
	chmod := "chmod " + permissions + " " + path
	me := os.Geteuid()
	if mustOwn && me != 0 && ownerID(info) != uint32(me) {
		return fmt.Sprintf("chown %d %s && %s", me, path, chmod)
	}
	return chmod
}

// CheckPrivate returns an error, for the operator, if another user can read a file or list a folder.
func CheckPrivate(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	trusted := []uint32{0, uint32(os.Geteuid())}
	others := info.Mode().Perm() & 0o077
	if isKubernetesVolume(info) {
		others &^= 0o007
	}
	if others == 0 || others&0o007 == 0 && trustsGroup(info, trusted) {
		return nil
	}
	private := "600"
	if info.IsDir() {
		private = "700"
	}
	return fmt.Errorf("other users can read %s (mode %04o): run %s", path, chmodMode(info), chmodAdvice(path, info, private, true))
}

// isWriteProtected reports whether only trusted users can write to a file or folder. In a parent folder of
// the checked path, they must only be unable to replace the next folder.
func isWriteProtected(info fs.FileInfo, isParent bool, trusted []uint32) bool {
	switch others := info.Mode().Perm() & 0o022; {
	case others == 0:
		return true
	case info.IsDir() && isParent && info.Mode()&fs.ModeSticky != 0:
		return true
	default:
		return others == 0o020 && trustsGroup(info, trusted) || isKubernetesVolume(info)
	}
}

// isKubernetesVolume reports whether a folder looks like a Kubernetes volume, for which the option fsGroup
// gives the process a separate group.
func isKubernetesVolume(info fs.FileInfo) bool {
	return info.IsDir() && info.Mode()&fs.ModeSetgid != 0 && ownerID(info) == 0 &&
		isOwnGroup(groupID(info)) && trustsGroup(info, []uint32{0, uint32(os.Geteuid())})
}

func groupID(info fs.FileInfo) uint32 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Gid
	}
	return 0
}

// isOwnGroup reports whether this process belongs to a group.
func isOwnGroup(group uint32) bool {
	all, err := os.Getgroups()
	return group == uint32(os.Getegid()) || err == nil && slices.Contains(all, int(group))
}

// trustsGroup reports whether only trusted users belong to a file's group. A group that /etc/group does
// not list, as in containers, must be one of this process.
func trustsGroup(info fs.FileInfo, trusted []uint32) bool {
	// Many services run in root's group. On other systems, the files do not list all users.
	if groupID(info) == 0 || runtime.GOOS != "linux" {
		return false
	}
	users, listed := groupUsers(groupID(info))
	hasOthers := slices.ContainsFunc(users, func(u uint32) bool { return !slices.Contains(trusted, u) })
	return (listed || isOwnGroup(groupID(info))) && !hasOthers
}

// groupUsers returns a group's users, and whether /etc/group lists the group.
func groupUsers(group uint32) (users []uint32, listed bool) {
	number := strconv.FormatUint(uint64(group), 10)
	members := map[string]bool{}
	for _, fields := range readAccountFile("/etc/group") {
		if len(fields) >= 4 && fields[2] == number {
			listed = true
			for _, name := range strings.Split(fields[3], ",") {
				members[name] = true
			}
		}
	}
	for _, fields := range readAccountFile("/etc/passwd") {
		if len(fields) < 4 || fields[3] != number && !members[fields[0]] {
			continue
		}
		if user, err := strconv.ParseUint(fields[2], 10, 32); err == nil {
			users = append(users, uint32(user))
		}
	}
	return users, listed
}

// readAccountFile returns the fields of each line in /etc/passwd or /etc/group. Containers may lack them.
func readAccountFile(file string) (all [][]string) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		all = append(all, strings.Split(strings.TrimSpace(line), ":"))
	}
	return all
}
