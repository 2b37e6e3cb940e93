package session

import (
	"fmt"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby"
	"broadside/lobby/account"
)

// accountKinds are the texts of kinds of accounts.
var accountKinds = map[store.Kind]i18n.Key{store.Person: "person", store.Program: "program", store.Bot: "bot"}

// AccountKindText returns the text of a kind of account.
func AccountKindText(k store.Kind) i18n.Key { return accountKinds[k] }

// StandingText formats a rating with its deviation at a time. A provisional rating has a
// question mark.
func StandingText(s store.Standing, at time.Time) string {
	return fmt.Sprintf("%v ±%.0f", s, s.At(at).Deviation)
}

// WithStakes appends "rated" or "casual" to the terms of an offer, unless its player had
// no choice: a guest's offer is always casual.
func WithStakes(l i18n.Language, terms string, s lobby.Stakes) string {
	if s != lobby.Rated && s != lobby.Casual {
		return terms
	}
	return terms + ", " + l.Text(s.Word())
}

// QuitEnds reports whether the running match ends if the player quits; see [LeaveMatch].
func (s *State) QuitEnds() bool {
	return s.Me.Guest && s.Match != nil && s.Match.Opponent.Kind == account.Bot
}

// WhyCasual returns a sentence that explains why the player's match is casual although
// they chose rated. It is empty if they chose casual or have no account.
func (s *State) WhyCasual(l i18n.Language) string {
	why := s.Stakes.Reason()
	if why == "" || s.Me.Account == "" || s.Match.HotSeat {
		return ""
	}
	return l.Text("this-match-is-casual-x", why)
}
