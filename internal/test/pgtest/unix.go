//go:build unix

package pgtest

import (
	"errors"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// programFolder returns the folder of the server's programs.
func programFolder() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(path), nil
		}
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", ErrNotInstalled
	}
	return filepath.Dir(found[len(found)-1]), nil
}

// unprivilegedProcess returns the user to run the server as, who owns the folder: an unprivileged
// user if this process runs as root, because PostgreSQL refuses to run as root.
func unprivilegedProcess(folder string) (*syscall.SysProcAttr, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	id, err := unprivilegedUser()
	if err != nil {
		return nil, err
	}
	if err := os.Chown(folder, int(id.Uid), int(id.Gid)); err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Credential: id}, nil
}

// unprivilegedUser is an unprivileged user.
func unprivilegedUser() (*syscall.Credential, error) {
	var errs []error
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			return nil, err
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, errors.Join(errs...)
}
