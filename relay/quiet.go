package relay

import (
	"net/netip"
	"sync"

	"broadside/internal/ratelimit"
)

// quietConns is how many connections in a row must have sent no directive before an address no
// longer waits for the hello delay. Such an address plays series with a connection for each game.
const quietConns = 10

// maxQuiet limits the number of addresses in memory. When it is reached, all are forgotten.
const maxQuiet = 10_000

// quietAddrs finds addresses whose last quietConns connections sent no directive. The zero value is
// ready to use, from any goroutine.
type quietAddrs struct {
	mu    sync.Mutex
	conns map[netip.Prefix]int // guarded by mu: connections since the last directive, at most quietConns
}

// record records whether a connection that has ended sent a directive.
func (q *quietAddrs) record(a netip.Addr, directive bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.conns) >= maxQuiet {
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

// has reports whether an address is quiet.
func (q *quietAddrs) has(a netip.Addr) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.conns[ratelimit.Network(a)] == quietConns
}
