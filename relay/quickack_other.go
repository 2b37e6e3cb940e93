//go:build !linux

package relay

import "syscall"

// quickAck returns nil, because only Linux can acknowledge received data immediately.
func quickAck(syscall.RawConn) func() { return nil }
