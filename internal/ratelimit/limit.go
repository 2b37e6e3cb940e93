package ratelimit

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Errors of [Count] and [Rate].
var (
	ErrFull        = errors.New("the server is full right now: please come back in a few minutes")
	ErrAddressFull = errors.New("too many are here from your address already: end one, or come back in a few minutes")
	ErrTooFast     = errors.New("too many connections in a short time from your address: come back in a minute")
)

// IPAddress returns the IP address of a client, or the zero value if it has none.
func IPAddress(a net.Addr) netip.Addr {
	ap, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Addr{}
	}
	return ap.Addr().Unmap().WithZone("")
}

// ipv6Bits is the prefix length of one customer's network.
const ipv6Bits = 64

// CustomerNetwork returns the network that counts as one address: the IPv4 address or the IPv6 /64
// network. It returns the zero value for the zero address.
func CustomerNetwork(a netip.Addr) netip.Prefix {
	a = a.Unmap()
	bits := a.BitLen()
	if a.Is6() {
		bits = ipv6Bits
	}
	p, err := a.WithZone("").Prefix(bits)
	if err != nil {
		return netip.Prefix{} // for the zero address
	}
	return p
}

// Count limits how many of something, such as connections, exist in total and per address. Its methods may
// be called from any goroutine and do not block.
type Count struct {
	mu         sync.Mutex
	all        int                  // guarded by mu: limit in total
	perAddress int                  // guarded by mu: limit per address
	total      int                  // guarded by mu
	counts     map[netip.Prefix]int // guarded by mu
}

// NewCount returns a counter with a limit in total and per address.
func NewCount(all, perAddress int) *Count {
	return &Count{all: all, perAddress: perAddress, counts: map[netip.Prefix]int{}}
}

// SetLimits changes the limits. Counts above the new limits stay.
func (c *Count) SetLimits(all, perAddress int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all, c.perAddress = all, perAddress
}

// Acquire counts one more for an address, or returns [ErrFull] or [ErrAddressFull] if a limit is reached.
// [Count.Release] undoes it.
func (c *Count) Acquire(a netip.Addr) error {
	k := CustomerNetwork(a)
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.total >= c.all:
		return ErrFull
	case c.counts[k] >= c.perAddress:
		return ErrAddressFull
	}
	c.total++
	c.counts[k]++
	return nil
}

// AcquireShared counts one more for no particular address, such as for a reverse proxy, or returns
// [ErrFull]. Release with the zero address undoes it.
func (c *Count) AcquireShared() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.total >= c.all {
		return ErrFull
	}
	c.total++
	c.counts[netip.Prefix{}]++
	return nil
}

// Release undoes one call of Acquire or AcquireShared.
func (c *Count) Release(a netip.Addr) {
	k := CustomerNetwork(a)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total--
	if c.counts[k]--; c.counts[k] == 0 {
		delete(c.counts, k)
	}
}

// Total returns the current total.
func (c *Count) Total() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}

// maxAddresses is the maximum number of addresses in a [Rate]. Further addresses are not
// limited, because so many cannot belong to one customer.
const maxAddresses = 1 << 16

// sweepEvery is the interval at which idle addresses are removed.
const sweepEvery = time.Minute

// Rate limits how often each address may do something. Its methods may be called from any
// goroutine and do not block.
type Rate struct {
	mu        sync.Mutex
	perMinute int                            // guarded by mu
	burst     int                            // guarded by mu
	limiters  map[netip.Prefix]*rate.Limiter // guarded by mu
	swept     time.Time                      // guarded by mu
}

// NewRate returns a limit for each address: perMinute times per minute, of which burst may follow one
// another immediately.
func NewRate(perMinute, burst int) *Rate {
	return &Rate{perMinute: perMinute, burst: burst, limiters: map[netip.Prefix]*rate.Limiter{}}
}

// SetLimits changes the limit. All addresses start with a full burst.
func (r *Rate) SetLimits(perMinute, burst int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.perMinute == perMinute && r.burst == burst {
		return
	}
	r.perMinute, r.burst = perMinute, burst
	clear(r.limiters)
}

// Allow reports whether an address may do something once now, and if so, counts it.
func (r *Rate) Allow(a netip.Addr) bool { return r.AllowN(a, 1) }

// AllowN reports whether an address may do something n times now, and if so, counts it.
func (r *Rate) AllowN(a netip.Addr, n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.limiterLocked(CustomerNetwork(a))
	return l == nil || l.AllowN(time.Now(), n)
}

// IsExceeded reports, without counting, whether an address has used up its limit.
func (r *Rate) IsExceeded(a netip.Addr) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.limiters[CustomerNetwork(a)]
	return l != nil && l.Tokens() < 1
}

// limiterLocked returns an address's limiter, or nil if there are too many addresses.
func (r *Rate) limiterLocked(k netip.Prefix) *rate.Limiter {
	if l := r.limiters[k]; l != nil {
		return l
	}
	now := time.Now()
	if now.Sub(r.swept) >= sweepEvery {
		r.swept = now
		for k, l := range r.limiters {
			if l.TokensAt(now) >= float64(r.burst) {
				delete(r.limiters, k)
			}
		}
	}
	if len(r.limiters) >= maxAddresses {
		return nil
	}
	l := rate.NewLimiter(rate.Limit(float64(r.perMinute)/60), r.burst)
	r.limiters[k] = l
	return l
}
