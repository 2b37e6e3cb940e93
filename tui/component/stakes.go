package component

import (
	"fmt"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
)

// WithStakes appends to the terms of an offer whether it is rated or casual, unless
// its player had no choice: a guest's offer is always casual.
func WithStakes(l i18n.Language, terms string, s session.Stakes) string {
	if s != session.Rated && s != session.Casual {
		return terms
	}
	return terms + ", " + l.Text(s.Word())
}

// OfferTerms says what an offer is for.
func (e *Env) OfferTerms(r match.Rules, s session.Stakes) string {
	return WithStakes(e.Lang, phrase.Terms(e.Lang, r), s)
}

// WhyCasual says why a player's match is casual although they chose rated; empty if
// they did not, or if they have no account and never play rated.
func WhyCasual(l i18n.Language, s *session.State) string {
	why := s.Stakes.Reason()
	if why == "" || s.Me.Account == "" || s.Match.HotSeat {
		return ""
	}
	return l.Text("this-match-is-casual-x", why)
}

// Rating returns a rating as people see it: with a question mark while it is
// provisional.
func Rating(value float64, provisional bool) string {
	if provisional {
		return fmt.Sprintf("%.0f?", value)
	}
	return fmt.Sprintf("%.0f", value)
}
