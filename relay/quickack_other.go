//go:build !linux

package relay

import "syscall"

// quickAck returns nil: only Linux can acknowledge received data immediately.
func quickAck(syscall.RawConn) func() { return nil }
