package relay

import "syscall"

// quickAck returns a function that immediately acknowledges data read from a connection.
// Otherwise a client that sends small packets without TCP_NODELAY waits for up to 40 ms
// between two of them. The system forgets the option, so call it after each read.
func quickAck(raw syscall.RawConn) func() {
	set := func(fd uintptr) {
		// Without quick acknowledgements, the client waits.
		syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_QUICKACK, 1)
	}
	// Control fails only on a closed connection.
	return func() { raw.Control(set) }
}
