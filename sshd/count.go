package sshd

import (
	"errors"

	"broadside/internal/ratelimit"
)

// Event is the name of a counted event.
type Event string

// Events of connections and sessions.
const (
	LoginByKey        Event = "login by key"
	LoginOfGuest      Event = "login of a guest"
	LoginFailed       Event = "login failed"
	RefusedAccess     Event = "refused: ban or lockdown"
	RefusedFull       Event = "refused: full"
	RefusedAddress    Event = "refused: too many of an address"
	RefusedTooFast    Event = "refused: too fast"
	RefusedForGuesses Event = "refused: failed logins"
)

// Events returns all events.
func Events() []Event {
	return []Event{
		LoginByKey, LoginOfGuest, LoginFailed,
		RefusedAccess, RefusedFull, RefusedAddress, RefusedTooFast, RefusedForGuesses,
	}
}

// refused returns the event for the error of a limit.
func refused(err error) Event {
	switch {
	case errors.Is(err, ratelimit.ErrAddressFull):
		return RefusedAddress
	case errors.Is(err, ratelimit.ErrTooFast):
		return RefusedTooFast
	case errors.Is(err, errGuesses):
		return RefusedForGuesses
	}
	return RefusedFull
}

func (s *Server) count(e Event) {
	if s.cfg.Count != nil {
		s.cfg.Count(e)
	}
}

// Traffic returns the number of connections, and of sessions that last.
func (s *Server) Traffic() (conns, sessions int) { return s.connCount.Total(), s.sessCount.Total() }
