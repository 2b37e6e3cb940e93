package relay

import (
	"net/netip"
	"sync"

	"broadside/internal/ratelimit"
)

// quietConns is how many connections in a row must have sent no directive before an address no
// longer waits for the hello delay. Such an address plays series with a connection for each game.
const quietConns = 10

// maxAddresses limits the number of addresses in memory. When it is reached, all are forgotten.
const maxAddresses = 10_000

// quietAddresses finds addresses whose last quietConns connections sent no directive. The zero value is
// ready to use, from any goroutine.
type quietAddresses struct {
	mu    sync.Mutex
	conns map[netip.Prefix]int // guarded by mu: connections since the last directive, at most quietConns
}

// record records whether a connection that has ended sent a directive.
func (q *quietAddresses) record(a netip.Addr, directive bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.conns) >= maxAddresses {
		clear(q.conns)
	}
	if q.conns == nil {
		q.conns = map[netip.Prefix]int{}
	}
	k := ratelimit.Network(a)
	if directive {
		delete(q.conns, k)
	} else {
		q.conns[k] = min(q.conns[k]+1, quietConns)
	}
}

// contains reports whether an address is quiet.
func (q *quietAddresses) contains(a netip.Addr) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.conns[ratelimit.Network(a)] == quietConns
}
