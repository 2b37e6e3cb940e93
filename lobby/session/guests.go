package session

import (
	"broadside/internal/i18n"
	"broadside/internal/ratelimit"
)

// ErrGuests is returned to a guest if guests at the same address, or all guests, have written too
// many messages or sent too many challenges.
var ErrGuests = i18n.Errorf("too many messages and challenges from guests right now: wait a moment, or choose a name")

// limitGuest calls do. For a guest, each success counts towards the limit, and limitGuest returns
// [ErrGuests] without calling do if the limit is exceeded.
func (s *Session) limitGuest(limit *ratelimit.GuestRate, do func() error) error {
	guest := s.Player().Account == ""
	if guest && limit.IsExceeded(s.client.Addr) {
		return ErrGuests
	}
	err := do()
	if guest && err == nil {
		limit.CountAction(s.client.Addr)
	}
	return err
}
