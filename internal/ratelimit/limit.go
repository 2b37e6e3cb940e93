package ratelimit

import (
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Why there is no room, as sentences for the person without capital or full
// stop.
var (
	ErrFull        = errors.New("the server is full right now: please come back in a few minutes")
	ErrAddressFull = errors.New("too many are here from your address already: end one, or come back in a few minutes")
	ErrTooFast     = errors.New("too many connections in a short time from your address: come back in a minute")
)

// Address is the IP address of a client; zero if it has none.
func Address(a net.Addr) netip.Addr {
	ap, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Addr{}
	}
	return ap.Addr().Unmap().WithZone("")
}

// ipv6Bits is how long the network of one customer is.
const ipv6Bits = 64

// Network is what counts as one address: an IPv4 address, or an IPv6 network of
// 64 bits. It is zero if there is no address.
func Network(a netip.Addr) netip.Prefix {
	a = a.Unmap()
	bits := a.BitLen()
	if a.Is6() {
		bits = ipv6Bits
	}
	p, err := a.WithZone("").Prefix(bits)
	if err != nil { // the zero address
		return netip.Prefix{}
	}
	return p
}

// Count counts what there is, in all and by address. Its methods may be called
// from any goroutine and do not wait.
type Count struct {
	mu         sync.Mutex
	all        int                  // guarded by mu: the most there may be
	perAddress int                  // guarded by mu: the most there may be of one address
	total      int                  // guarded by mu
	counts     map[netip.Prefix]int // guarded by mu
}

// NewCount counts up to all, and up to perAddress of each address.
func NewCount(all, perAddress int) *Count {
	return &Count{all: all, perAddress: perAddress, counts: map[netip.Prefix]int{}}
}

// Set changes the bounds. What there is stays, even if it is more.
func (c *Count) Set(all, perAddress int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all, c.perAddress = all, perAddress
}

// Take counts one more, unless there are too many: [ErrFull] or
// [ErrAddressFull]. Give takes it back.
func (c *Count) Take(a netip.Addr) error {
	k := Network(a)
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

// Give takes back what Take has counted.
func (c *Count) Give(a netip.Addr) {
	k := Network(a)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total--
	if c.counts[k]--; c.counts[k] == 0 {
		delete(c.counts, k)
	}
}

// Total is how many there are.
func (c *Count) Total() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.total
}

// maxPaced bounds the addresses that a [Rate] remembers. When there are more,
// newcomers among them are not paced: that many at once are no one customer.
const maxPaced = 1 << 16

// sweepEvery is how often addresses that have all their tokens again are
// forgotten.
const sweepEvery = time.Minute

// Rate paces what each address does. Its methods may be called from any
// goroutine and do not wait.
type Rate struct {
	mu        sync.Mutex
	perMinute int                            // guarded by mu
	burst     int                            // guarded by mu
	paced     map[netip.Prefix]*rate.Limiter // guarded by mu
	swept     time.Time                      // guarded by mu
}

// NewRate lets each address do something perMinute times a minute, and burst
// times at once.
func NewRate(perMinute, burst int) *Rate {
	return &Rate{perMinute: perMinute, burst: burst, paced: map[netip.Prefix]*rate.Limiter{}}
}

// Set changes the pace.
func (r *Rate) Set(perMinute, burst int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.perMinute == perMinute && r.burst == burst {
		return
	}
	r.perMinute, r.burst = perMinute, burst
	clear(r.paced)
}

// Allow counts once more and tells whether the address may.
func (r *Rate) Allow(a netip.Addr) bool { return r.AllowN(a, 1) }

// AllowN counts n times at once, if the address may.
func (r *Rate) AllowN(a netip.Addr, n int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.limiter(Network(a))
	return l == nil || l.AllowN(time.Now(), n)
}

// Exceeded tells, without counting, whether the address may not.
func (r *Rate) Exceeded(a netip.Addr) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	l := r.paced[Network(a)]
	return l != nil && l.Tokens() < 1
}

// limiter is an address's; nil if there are too many. The rate is locked.
func (r *Rate) limiter(k netip.Prefix) *rate.Limiter {
	if l := r.paced[k]; l != nil {
		return l
	}
	now := time.Now()
	if now.Sub(r.swept) >= sweepEvery {
		r.swept = now
		for k, l := range r.paced {
			if l.TokensAt(now) >= float64(r.burst) {
				delete(r.paced, k)
			}
		}
	}
	if len(r.paced) >= maxPaced {
		return nil
	}
	l := rate.NewLimiter(rate.Limit(float64(r.perMinute)/60), r.burst)
	r.paced[k] = l
	return l
}
