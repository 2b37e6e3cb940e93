//go:build unix

package cli

import "syscall"

// maxOpenFiles returns how many files the process may open.
func maxOpenFiles() (limit uint64, ok bool) {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return 0, false
	}
	// Go raises the soft limit to the hard limit.
	return uint64(l.Max), true
}
