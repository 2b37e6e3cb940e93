//go:build !unix

package relay

import "net"

// tryWrite returns a function that writes nothing: writing without blocking is implemented only for
// Unix.
func tryWrite(net.Conn) func([]byte) int { return func([]byte) int { return 0 } }
