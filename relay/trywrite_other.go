//go:build !unix

package relay

import "syscall"

// tryWrite returns nil: writing without blocking is implemented only for Unix.
func tryWrite(syscall.RawConn) func([]byte) int { return nil }
