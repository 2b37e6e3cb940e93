package session

import "broadside/match"

// MayRemoveOpponent reports whether [RemoveOpponent] is possible. v is the newest view of
// the match.
func (s *State) MayRemoveOpponent(v *match.View) bool {
	return s.Match != nil && s.Match.Host && v.Phase == match.Placing
}

// WouldAbort reports whether resigning now would abort the match without changing
// ratings, instead of losing it. v is the newest view of the match.
func (s *State) WouldAbort(v *match.View) bool { return s.Stakes.Rated() && !v.Counts() }
