//go:build !unix

package pgtest

import "syscall"

// programs are not looked for where the server cannot be told to end.
func programs() (string, error) { return "", ErrNotInstalled }

// servant is as whom the server would run.
func servant(string) (*syscall.SysProcAttr, error) { return nil, nil }
