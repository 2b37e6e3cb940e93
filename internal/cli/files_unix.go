//go:build unix

package cli

import "syscall"

// openFiles is how many files a process may have open.
func openFiles() (most uint64, ok bool) {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return 0, false
	}
	return uint64(l.Max), true // Go raises the limit of a process to it
}
