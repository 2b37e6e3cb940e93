package sshd

import (
	"errors"

	"broadside/internal/ratelimit"
)

// Meter receives logins and refusals for metrics. Its functions may be nil, are called from any goroutine, and
// must not block.
type Meter struct {
	// Login is called when a client has logged in.
	Login func(LoginMethod)
	// Failed is called when a client has tried to log in without success.
	Failed func()
	// Refused is called when a connection or session was refused.
	Refused func(RefusalReason)
}

// LoginMethod is how a client logged in.
type LoginMethod string

// The login methods.
const (
	LoginWithKey LoginMethod = "key"
	LoginAsGuest LoginMethod = "guest"
)

// LoginMethods returns all login methods.
func LoginMethods() []LoginMethod { return []LoginMethod{LoginWithKey, LoginAsGuest} }

// RefusalReason is the reason why the server refuses a connection or session.
type RefusalReason string

// The reasons for refusals.
const (
	RefusedAccess RefusalReason = "access"
	RefusedFull   RefusalReason = "full"
	// RefusedAddress means too many connections from one address.
	RefusedAddress RefusalReason = "address"
	// RefusedRate means too many new connections from one address.
	RefusedRate RefusalReason = "rate"
)

// RefusalReasons returns all reasons.
func RefusalReasons() []RefusalReason {
	return []RefusalReason{RefusedAccess, RefusedFull, RefusedAddress, RefusedRate}
}

// classifyLimitError returns the reason that belongs to a limit's error.
func classifyLimitError(err error) RefusalReason {
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

func (m Meter) countRefusal(why RefusalReason) {
	if m.Refused != nil {
		m.Refused(why)
	}
}

// ConnectionCount returns the number of open connections.
func (s *Server) ConnectionCount() int { return s.connCount.Total() }

// SessionCount returns the number of sessions, not counting short commands.
func (s *Server) SessionCount() int { return s.sessCount.Total() }
