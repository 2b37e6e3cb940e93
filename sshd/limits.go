package sshd

import (
	"net"
	"net/netip"
	"sync"
)

// limits counts what there is, in all and by address.
type limits struct {
	all, perAddress int // the most there may be

	mu     sync.Mutex
	total  int            // guarded by mu
	counts map[string]int // guarded by mu
}

func newLimits(all, perAddress int) *limits {
	return &limits{all: all, perAddress: perAddress, counts: map[string]int{}}
}

// take counts one more, unless there are too many. Give takes it back.
func (l *limits) take(address string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.total >= l.all || l.counts[address] >= l.perAddress {
		return false
	}
	l.total++
	l.counts[address]++
	return true
}

func (l *limits) give(address string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total--
	if l.counts[address]--; l.counts[address] == 0 {
		delete(l.counts, address)
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

// address is the IP address of a client; zero if it has none.
func address(a net.Addr) netip.Addr {
	ap, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Addr{}
	}
	return ap.Addr().Unmap().WithZone("")
}
