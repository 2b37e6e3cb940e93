package relay

import "syscall"

// quickAck returns a function that immediately acknowledges data read from a connection.
// Otherwise a client that sends small packets without TCP_NODELAY waits for up to 40 ms
// between two of them. The system forgets the option, so call it after each read.
func quickAck(raw syscall.RawConn) func() {
	set := func(fd uintptr) {
		syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_QUICKACK, 1) // without it, the client waits
	}
	return func() { raw.Control(set) } // fails only on a closed connection
}
