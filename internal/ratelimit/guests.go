package ratelimit

import (
	"net/netip"

	"golang.org/x/time/rate"
)

// totalFactor is how many addresses may use up their limits at the same time in [GuestRate].
const totalFactor = 5

// GuestRate limits how often players without an account do something, per address and in total,
// because they can have a new identity at any time. Its methods may be called from any goroutine.
type GuestRate struct {
	each *Rate
	all  *rate.Limiter
}

// NewGuestRate returns a limit for the guests at one address: perMinute actions per minute, of which burst
// may follow one another immediately. All guests together may do five times as much.
func NewGuestRate(perMinute, burst int) *GuestRate {
	return &GuestRate{
		each: NewRate(perMinute, burst),
		all:  rate.NewLimiter(rate.Limit(float64(totalFactor*perMinute)/60), totalFactor*burst),
	}
}

// IsExceeded reports whether the guests at an address, or all guests, have used up their limit.
func (g *GuestRate) IsExceeded(a netip.Addr) bool { return g.each.IsExceeded(a) || g.all.Tokens() < 1 }

// CountAction counts an action of a guest at an address.
func (g *GuestRate) CountAction(a netip.Addr) {
	g.each.Allow(a)
	g.all.Allow()
}
