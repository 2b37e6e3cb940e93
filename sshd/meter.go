package sshd

import (
	"errors"

	"broadside/internal/ratelimit"
)

// Meter receives logins and refusals for metrics. Its functions may be nil, are called from any goroutine, and
// must not block.
type Meter struct {
	Login   func(LoginMethod) // a client has logged in
	Failed  func()            // a client tried to log in, and left or was disconnected without success
	Refused func(Refusal)     // a connection or session was refused
}

// LoginMethod is how a client logged in.
type LoginMethod string

// The login methods.
const (
	LoginWithKey LoginMethod = "key"
	LoginAsGuest LoginMethod = "guest" // without a key
)

// LoginMethods returns all login methods.
func LoginMethods() []LoginMethod { return []LoginMethod{LoginWithKey, LoginAsGuest} }

// Refusal is the reason why the server refuses a connection or session.
type Refusal string

// The reasons of refusals.
const (
	RefusedAccess  Refusal = "access" // a ban or lockdown
	RefusedFull    Refusal = "full"
	RefusedAddress Refusal = "address" // too many from one address
	RefusedRate    Refusal = "rate"    // too many new ones from one address
)

// Refusals returns all reasons of refusals.
func Refusals() []Refusal {
	return []Refusal{RefusedAccess, RefusedFull, RefusedAddress, RefusedRate}
}

// refusalReason returns the reason that belongs to the error of a limit.
func refusalReason(err error) Refusal {
	switch {
	case errors.Is(err, ratelimit.ErrAddressFull):
		return RefusedAddress
	case errors.Is(err, ratelimit.ErrTooFast):
		return RefusedRate
	}
	return RefusedFull
}

func (m Meter) countLogin(by LoginMethod) {
	if m.Login != nil {
		m.Login(by)
	}
}

func (m Meter) countFailure() {
	if m.Failed != nil {
		m.Failed()
	}
}

func (m Meter) countRefusal(why Refusal) {
	if m.Refused != nil {
		m.Refused(why)
	}
}

// ConnectionCount returns the number of open connections.
func (s *Server) ConnectionCount() int { return s.connCount.Total() }

// SessionCount returns the number of sessions, not counting short commands.
func (s *Server) SessionCount() int { return s.sessCount.Total() }
