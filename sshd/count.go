package sshd

import (
	"errors"

	"broadside/internal/ratelimit"
)

// Happening is something that is counted, in a few words.
type Happening string

// What is counted.
const (
	LoginByKey        Happening = "login by key"
	LoginOfGuest      Happening = "login of a guest"
	LoginFailed       Happening = "login failed"
	RefusedByGate     Happening = "refused: ban or lockdown"
	RefusedFull       Happening = "refused: full"
	RefusedAddress    Happening = "refused: too many of an address"
	RefusedTooFast    Happening = "refused: too fast"
	RefusedForGuesses Happening = "refused: failed logins"
)

// Happenings are all of them.
func Happenings() []Happening {
	return []Happening{
		LoginByKey, LoginOfGuest, LoginFailed,
		RefusedByGate, RefusedFull, RefusedAddress, RefusedTooFast, RefusedForGuesses,
	}
}

// refused is what happened to somebody for whom there was no room.
func refused(err error) Happening {
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

func (s *Server) count(h Happening) {
	if s.cfg.Count != nil {
		s.cfg.Count(h)
	}
}

// Traffic is how many connections and sessions with a program there are.
func (s *Server) Traffic() (conns, sessions int) { return s.connCount.Total(), s.sessCount.Total() }
