package sshd

import (
	"cmp"
	"errors"
	"time"
)

// Limits limits the resources that clients may use. Fields that are 0 have a default.
type Limits struct {
	// MaxConns limits all connections (default: 4096).
	MaxConns int
	// MaxConnsPerAddr limits connections from one address (default: 512).
	MaxConnsPerAddr int
	// ConnRate limits new connections per minute from one address (default: 300).
	ConnRate int
	// ConnBurst limits new connections at the same time from one address (default: 300).
	ConnBurst int
	// MaxSessions limits all sessions, not counting short commands (default: 4096).
	MaxSessions int
	// MaxSessionsPerAddr limits the same sessions from one address (default: 512).
	MaxSessionsPerAddr int
	// MaxSessionsPerConn limits the session channels on one connection (default: 8).
	MaxSessionsPerConn int
	// HandshakeTimeout is the time from the connection to the login (default: 10 s).
	HandshakeTimeout time.Duration
	// WriteTimeout is the time that a client has to read output (default: 10 s).
	WriteTimeout time.Duration
	// IdleTimeout is the time without input (default: 1 h).
	IdleTimeout time.Duration
	// SessionTime limits a whole session (default: 24 h).
	SessionTime time.Duration
	// KeepAlive is the time between keepalive requests (default: 30 s).
	KeepAlive time.Duration
	// InputRate limits bytes per second from one connection (default: 2048).
	InputRate int
	// InputBurst limits bytes at the same time from one connection (default: 16384).
	InputBurst int
	// InputRatePerAddr limits bytes per second beyond InputRate from one address (default: 1 MiB).
	InputRatePerAddr int
	// MaxPaste limits a paste's bytes (default: 65536).
	MaxPaste int
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
