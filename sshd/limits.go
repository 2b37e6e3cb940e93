package sshd

import (
	"cmp"
	"errors"
	"time"
)

// Limits limits the resources that clients may use. Fields that are 0 have a default.
type Limits struct {
	MaxConns           int           // connections (default: 4096)
	MaxConnsPerAddr    int           // connections from one address (default: 512)
	ConnRate           int           // new connections per minute from one address (default: 300)
	ConnBurst          int           // new connections at the same time from one address (default: 300)
	MaxSessions        int           // sessions, not counting short commands (default: 4096)
	MaxSessionsPerAddr int           // the same from one address (default: 512)
	MaxSessionsPerConn int           // session channels on one connection (default: 8)
	HandshakeTimeout   time.Duration // from the connection to the login (default: 10 s)
	WriteTimeout       time.Duration // for a client to read output (default: 10 s)
	IdleTimeout        time.Duration // without input (default: 1 h)
	SessionTime        time.Duration // of a whole session (default: 24 h)
	KeepAlive          time.Duration // between keepalive requests (default: 30 s)
	InputRate          int           // bytes per second from one connection (default: 2048)
	InputBurst         int           // bytes at the same time from one connection (default: 16384)
	InputRatePerAddr   int           // bytes per second beyond InputRate from one address (default: 1 MiB)
	MaxPaste           int           // bytes of a paste (default: 65536)
}

// WithDefaults returns the limits with the defaults of fields that are 0.
func (l Limits) WithDefaults() Limits {
	l.MaxConns = cmp.Or(l.MaxConns, 4096)
	l.MaxConnsPerAddr = cmp.Or(l.MaxConnsPerAddr, 512)
	l.ConnRate = cmp.Or(l.ConnRate, 300)
	l.ConnBurst = cmp.Or(l.ConnBurst, 300)
	l.MaxSessions = cmp.Or(l.MaxSessions, 4096)
	l.MaxSessionsPerAddr = cmp.Or(l.MaxSessionsPerAddr, 512)
	l.MaxSessionsPerConn = cmp.Or(l.MaxSessionsPerConn, 8)
	l.HandshakeTimeout = cmp.Or(l.HandshakeTimeout, 10*time.Second)
	l.WriteTimeout = cmp.Or(l.WriteTimeout, 10*time.Second)
	l.IdleTimeout = cmp.Or(l.IdleTimeout, time.Hour)
	l.SessionTime = cmp.Or(l.SessionTime, 24*time.Hour)
	l.KeepAlive = cmp.Or(l.KeepAlive, 30*time.Second)
	l.InputRate = cmp.Or(l.InputRate, 2048)
	l.InputBurst = cmp.Or(l.InputBurst, 16384)
	l.InputRatePerAddr = cmp.Or(l.InputRatePerAddr, 1<<20)
	l.MaxPaste = cmp.Or(l.MaxPaste, 64<<10)
	return l
}

func (l Limits) validate() error {
	least := min(
		l.MaxConns, l.MaxConnsPerAddr, l.ConnRate, l.ConnBurst,
		l.MaxSessions, l.MaxSessionsPerAddr, l.MaxSessionsPerConn, l.InputRate, l.InputBurst, l.InputRatePerAddr, l.MaxPaste,
		int(l.HandshakeTimeout), int(l.WriteTimeout), int(l.IdleTimeout), int(l.SessionTime), int(l.KeepAlive),
	)
	if least < 0 {
		return errors.New("limits of the SSH server must not be negative")
	}
	return nil
}

// limits returns the current limits, which the caller must not modify.
func (s *Server) limits() *Limits { return s.currentLimits.Load() }

// SetLimits changes the limits for new connections and sessions.
func (s *Server) SetLimits(l Limits) error {
	if err := l.validate(); err != nil {
		return err
	}
	l = l.WithDefaults()
	s.currentLimits.Store(&l)
	s.connCount.SetLimits(l.MaxConns, l.MaxConnsPerAddr)
	s.sessCount.SetLimits(l.MaxSessions, l.MaxSessionsPerAddr)
	s.connRate.SetLimits(l.ConnRate, l.ConnBurst)
	s.inputRate.SetLimits(60*l.InputRatePerAddr, 2*l.InputRatePerAddr)
	return nil
}
