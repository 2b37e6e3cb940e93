package sshd

import (
	"net"
	"sync"
)

// limits counts the connections there are, in all and by address.
type limits struct {
	all, perAddress int // the most there may be

	mu     sync.Mutex
	total  int            // guarded by mu
	counts map[string]int // guarded by mu
}

// take counts a connection, or returns nil if there are too many. Closing the
// connection gives it back.
func (l *limits) take(nc net.Conn) net.Conn {
	key := addressKey(nc.RemoteAddr())
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.total >= l.all || l.counts[key] >= l.perAddress {
		return nil
	}
	l.total++
	l.counts[key]++
	return &countedConn{Conn: nc, give: sync.OnceFunc(func() { l.give(key) })}
}

func (l *limits) give(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total--
	if l.counts[key]--; l.counts[key] == 0 {
		delete(l.counts, key)
	}
}

// addressKey is what counts as one address: an IPv4 address, or the network of
// 64 bits that one IPv6 customer has.
func addressKey(a net.Addr) string {
	host, _, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	ip := net.ParseIP(host)
	if ip == nil || ip.To4() != nil {
		return host
	}
	return ip.Mask(net.CIDRMask(64, 128)).String()
}

type countedConn struct {
	net.Conn
	give func()
}

func (c *countedConn) Close() error {
	c.give()
	return c.Conn.Close()
}
