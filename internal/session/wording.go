package session

import (
	"fmt"
	"time"

	"broadside/internal/i18n"
)

// accountKinds are the texts of kinds of accounts.
var accountKinds = map[AccountKind]i18n.Key{PersonAccount: "person", ProgramAccount: "program", BotAccount: "bot"}

// AccountKindText returns the text of a kind of account.
func AccountKindText(k AccountKind) i18n.Key { return accountKinds[k] }

// StandingText formats a rating with its deviation at a time. A provisional rating has a
// question mark.
func StandingText(s Standing, at time.Time) string {
	return fmt.Sprintf("%v ±%.0f", s, s.At(at).Deviation)
}

// WithStakes appends "rated" or "casual" to the terms of an offer, unless its player had
// no choice: a guest's offer is always casual.
func WithStakes(l i18n.Language, terms string, s Stakes) string {
	if s != Rated && s != Casual {
		return terms
	}
	return terms + ", " + l.Text(s.Word())
}

// QuitEnds reports whether the running match ends if the player quits; see [LeaveMatch].
func (s *State) QuitEnds() bool {
	return s.Me.Guest && s.Match != nil && s.Match.Opponent.Kind == Bot
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
