package servers

import (
	"fmt"
	"math/rand/v2"
	"net"
)

// Listen listens at a loopback address on a port outside the ephemeral range. Once the
// listener is closed, no connection or other listener gets the port by chance, so a server
// can use it.
func Listen() (net.Listener, error) {
	var err error
	for range 1000 {
		var l net.Listener
		if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10000+rand.IntN(20000))); err == nil {
			return l, nil
		}
	}
	return nil, fmt.Errorf("there is no free address: %w", err)
}
