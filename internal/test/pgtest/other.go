//go:build !unix

package pgtest

import "syscall"

// programFolder returns ErrNotInstalled, because the server cannot be stopped on this system.
func programFolder() (string, error) { return "", ErrNotInstalled }

// unprivilegedProcess returns the user to run the server as.
func unprivilegedProcess(string) (*syscall.SysProcAttr, error) { return nil, nil }
