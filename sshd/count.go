package sshd

import (
	"errors"

	"broadside/internal/ratelimit"
)

// Event is something that is counted, in a few words.
type Event string

// What is counted.
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

// Events are all of them.
func Events() []Event {
	return []Event{
		LoginByKey, LoginOfGuest, LoginFailed,
		RefusedAccess, RefusedFull, RefusedAddress, RefusedTooFast, RefusedForGuesses,
	}
}

// refused is what happened to somebody for whom there was no room.
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

func (s *Server) count(h Event) {
	if s.cfg.Count != nil {
		s.cfg.Count(h)
	}
}

// Traffic is how many connections and sessions with a program there are.
func (s *Server) Traffic() (conns, sessions int) { return s.connCount.Total(), s.sessCount.Total() }
