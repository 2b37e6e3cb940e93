package ratelimit

import (
	"net/netip"

	"golang.org/x/time/rate"
)

// totalFactor is how many addresses may use up their limits at the same time in [Guests].
const totalFactor = 5

// Guests limits how often players without an account do something, per address and in total,
// because they can have a new identity at any time. Its methods may be called from any goroutine.
type Guests struct {
	each *Rate
	all  *rate.Limiter
}

// NewGuests returns a limit for the guests at one address: perMinute actions per minute, of which burst
// may follow one another immediately. All guests together may do five times as much.
func NewGuests(perMinute, burst int) *Guests {
	return &Guests{
		each: NewRate(perMinute, burst),
		all:  rate.NewLimiter(rate.Limit(float64(totalFactor*perMinute)/60), totalFactor*burst),
	}
}

// IsExceeded reports whether the guests at an address, or all guests, have used up their limit.
func (g *Guests) IsExceeded(a netip.Addr) bool { return g.each.IsExceeded(a) || g.all.Tokens() < 1 }

// Count counts an action of a guest at an address.
func (g *Guests) Count(a netip.Addr) {
	g.each.Allow(a)
	g.all.Allow()
}
