//go:build unix

package relay

import "syscall"

// tryWrite returns a function that writes as much to a connection as the kernel accepts without
// blocking. It returns the number of bytes, 0 after an error. It must be called from one goroutine at
// a time.
func tryWrite(raw syscall.RawConn) func([]byte) int {
	var b []byte
	var n int
	write := func(fd uintptr) bool {
		n, _ = syscall.Write(int(fd), b) // a later write returns the error
		return true
	}
	return func(p []byte) int {
		b, n = p, 0
		_ = raw.Write(write) // fails if the connection is closed or its deadline has passed
		b = nil
		return max(0, n)
	}
}
