package tui

import (
	"fmt"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
)

// WithStakes appends to what is said of an offer what its player wants to play for:
// rated or casual. Nothing is appended where there was nothing to choose, as in a
// guest's offer, which is always casual.
func WithStakes(l i18n.Language, terms string, s session.Stakes) string {
	if s != session.Rated && s != session.Casual {
		return terms
	}
	return terms + ", " + l.Say(s.Word())
}

// offerTerms says what an offer is for.
func (m *Model) offerTerms(r match.Rules, s session.Stakes) string {
	return WithStakes(m.lang, phrase.Terms(m.lang, r), s)
}

// WhyCasual says why the match of a player is casual although rated was chosen;
// empty if it was not, or if the player has no account and never plays rated.
func WhyCasual(l i18n.Language, s *session.State) string {
	why := s.Stakes.Reason()
	if why == "" || s.Me.Account == "" || s.Match.HotSeat {
		return ""
	}
	return l.Say("This match is casual: %s.", why)
}

// Abortable reports whether who gives a match up now aborts it, which changes no
// rating, instead of losing it.
func Abortable(s session.Stakes, v *match.View) bool { return s.Rated() && !v.Counts() }

// Rating writes a rating as people see it: with a question mark while it is
// provisional.
func Rating(value float64, provisional bool) string {
	if provisional {
		return fmt.Sprintf("%.0f?", value)
	}
	return fmt.Sprintf("%.0f", value)
}
