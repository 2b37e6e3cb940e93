//go:build !unix

package pgtest

import "syscall"

// programs returns ErrNotInstalled, because the server cannot be stopped on this system.
func programs() (string, error) { return "", ErrNotInstalled }

// servant returns the user to run the server as.
func servant(string) (*syscall.SysProcAttr, error) { return nil, nil }
