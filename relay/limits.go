package relay

import (
	"cmp"
	"errors"
	"net/netip"

	"broadside/internal/ratelimit"
)

// Refusal is why a client is turned away, in a few words.
type Refusal string

// Why clients are turned away.
const (
	RefusedAccess  Refusal = "ban or lockdown"
	RefusedFull    Refusal = "full"
	RefusedAddress Refusal = "too many of an address"
	RefusedTooFast Refusal = "too fast"
)

// Refusals returns all refusals.
func Refusals() []Refusal {
	return []Refusal{RefusedAccess, RefusedFull, RefusedAddress, RefusedTooFast}
}

// refusal returns the refusal of a client for which there is no room.
func refusal(err error) Refusal {
	switch {
	case errors.Is(err, ratelimit.ErrAddressFull):
		return RefusedAddress
	case errors.Is(err, ratelimit.ErrTooFast):
		return RefusedTooFast
	}
	return RefusedFull
}

func (s *Server) refuse(why Refusal) {
	if s.cfg.Refused != nil {
		s.cfg.Refused(why)
	}
}

// Limits bound what a server takes on. The zero value of each is its default.
type Limits struct {
	MaxConns        int // connections in all; 0: 8192
	MaxConnsPerAddr int // connections from one address; 0: 1024
	ConnRate        int // new connections a minute from one address, but this machine's own; 0: 1200
	ConnBurst       int // new connections at once from it; 0: 600
	WaitingPerAddr  int // programs from one address, or of one owner, that wait for an opponent; 0: 4. It does not change later.
}

func (l Limits) withDefaults() Limits {
	l.MaxConns = cmp.Or(l.MaxConns, 8192)
	l.MaxConnsPerAddr = cmp.Or(l.MaxConnsPerAddr, 1024)
	l.ConnRate = cmp.Or(l.ConnRate, 1200)
	l.ConnBurst = cmp.Or(l.ConnBurst, 600)
	l.WaitingPerAddr = cmp.Or(l.WaitingPerAddr, 4)
	return l
}

// SetLimits changes the limits. Connections that there are stay.
func (s *Server) SetLimits(l Limits) {
	l = l.withDefaults()
	s.count.Set(l.MaxConns, l.MaxConnsPerAddr)
	s.rate.Set(l.ConnRate, l.ConnBurst)
}

// room counts one more connection, or tells why there is no room for it. Those
// that are carried have been paced by who carries them.
func (s *Server) room(carried bool, a netip.Addr) error {
	if !carried && !a.IsLoopback() && !s.rate.Allow(a) {
		return ratelimit.ErrTooFast
	}
	return s.count.Take(a)
}
