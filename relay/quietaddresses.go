package relay

import (
	"net/netip"
	"sync"

	"broadside/internal/ratelimit"
)

// quietConns is how many connections in a row without a directive make an address quiet. Its clients no longer
// wait for the hello delay. Such an address plays series with a connection for each game.
const quietConns = 10

// maxAddresses limits the number of addresses in memory. When it is reached, all are forgotten.
const maxAddresses = 10_000

// quietAddresses remembers which addresses send no directives. The zero value is ready to use, from
// any goroutine.
type quietAddresses struct {
	// mu guards conns.
	mu sync.Mutex
	// conns counts an address's connections since its last directive, up to quietConns.
	conns map[netip.Prefix]int
}

// record records whether a connection that has ended used directives.
func (q *quietAddresses) record(a netip.Addr, usedDirectives bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.conns) >= maxAddresses {
		clear(q.conns)
	}
	if q.conns == nil {
		q.conns = map[netip.Prefix]int{}
	}
	network := ratelimit.CustomerNetwork(a)
	if usedDirectives {
		delete(q.conns, network)
	} else {
		q.conns[network] = min(q.conns[network]+1, quietConns)
	}
}

// contains reports whether an address is quiet.
func (q *quietAddresses) contains(a netip.Addr) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.conns[ratelimit.CustomerNetwork(a)] == quietConns
}
