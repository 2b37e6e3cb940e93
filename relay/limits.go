package relay

import (
	"cmp"
	"errors"

	"broadside/internal/ratelimit"
)

// Refusal is the reason why a connection is refused.
type Refusal string

// The reasons why connections are refused.
const (
	// RefusedAccess means a ban or a lockdown.
	RefusedAccess Refusal = "access"
	RefusedFull   Refusal = "full"
	// RefusedAddress means too many connections from one address.
	RefusedAddress Refusal = "address"
	// RefusedRate means too many new connections from one address.
	RefusedRate Refusal = "rate"
)

// Refusals returns all refusals.
func Refusals() []Refusal {
	return []Refusal{RefusedAccess, RefusedFull, RefusedAddress, RefusedRate}
}

// refusalReason maps an error of [Server.reserveConn] to a Refusal.
func refusalReason(err error) Refusal {
	switch {
	case errors.Is(err, ratelimit.ErrAddressFull):
		return RefusedAddress
	case errors.Is(err, ratelimit.ErrTooFast):
		return RefusedRate
	}
	return RefusedFull
}

func (s *Server) reportRefusal(reason Refusal) {
	if s.cfg.Refused != nil {
		s.cfg.Refused(reason)
	}
}

// Limits limits a server's connections. A zero field means its default.
type Limits struct {
	// MaxConns is 8192 by default.
	MaxConns int
	// MaxConnsPerAddr is 1024 by default.
	MaxConnsPerAddr int
	// ConnRate limits new connections from one address per minute, after a burst of ConnBurst. The
	// loopback address has no limit. The defaults are 1200 and 600.
	ConnRate, ConnBurst int
	// WaitingPerAddr limits how many unregistered programs at one address wait for an opponent. The
	// default is 64. SetLimits does not change it.
	WaitingPerAddr int
}

// WithDefaults returns the limits with defaults for fields that are 0.
func (l Limits) WithDefaults() Limits {
	l.MaxConns = cmp.Or(l.MaxConns, 8192)
	l.MaxConnsPerAddr = cmp.Or(l.MaxConnsPerAddr, 1024)
	l.ConnRate = cmp.Or(l.ConnRate, 1200)
	l.ConnBurst = cmp.Or(l.ConnBurst, 600)
	l.WaitingPerAddr = cmp.Or(l.WaitingPerAddr, 64)
	return l
}

// SetLimits changes the limits, except WaitingPerAddr. Existing connections stay open.
func (s *Server) SetLimits(l Limits) {
	l = l.WithDefaults()
	s.count.SetLimits(l.MaxConns, l.MaxConnsPerAddr)
	s.rate.SetLimits(l.ConnRate, l.ConnBurst)
}

// reserveConn counts one more connection, or returns an error if there are too many.
func (s *Server) reserveConn(c *conn) error {
	// The rate of stream clients is limited by the connection that carries them.
	addr := c.address()
	if c.isTCP() && !addr.IsLoopback() && !s.rate.Allow(addr) {
		return ratelimit.ErrTooFast
	}
	return s.count.Acquire(addr)
}
