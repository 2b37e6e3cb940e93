package servers

import (
	"fmt"
	"math/rand/v2"
	"net"
	"sync/atomic"
)

// ports counts the ports that were tried, from a random one, so that tests in other processes
// rarely try the same.
var ports = func() *atomic.Uint32 {
	n := new(atomic.Uint32)
	n.Store(rand.Uint32N(20000))
	return n
}()

// ListenLoopback listens at a loopback address on a port outside the ephemeral range. Once the
// listener is closed, no connection and no other caller in this process gets the port, so a
// server can use it, also after a restart.
func ListenLoopback() (net.Listener, error) {
	var err error
	for range 1000 {
		var l net.Listener
		if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10000+ports.Add(1)%20000)); err == nil {
			return l, nil
		}
	}
	return nil, fmt.Errorf("there is no free address: %w", err)
}
