package session

import (
	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/match"
)

// MayRemoveOpponent reports whether [RemoveOpponent] is possible. v is the newest view of
// the match.
func (s *State) MayRemoveOpponent(v *match.View) bool {
	return s.Match != nil && s.Match.Host && v.Phase == match.Placing
}

// RemovalAborts reports whether [RemoveOpponent] counts as the player's abort of a rated match. v is
// the newest view of the match.
func (s *State) RemovalAborts(v *match.View) bool {
	return s.MayRemoveOpponent(v) && s.Stakes.Rated() && v.Ready[s.Match.Side.Other()]
}

// WouldAbort reports whether resigning now would abort the match without changing
// ratings, instead of losing it. v is the newest view of the match.
func (s *State) WouldAbort(v *match.View) bool { return s.Stakes.Rated() && !v.Counts() }

// QuitEnds reports whether the running match ends if the player quits; see [Session.LeaveMatch].
func (s *State) QuitEnds() bool {
	return s.Me.Guest && s.Match != nil && s.Match.Opponent.Kind == account.Bot
}

// WhyCasual returns why the player's match is casual although they chose rated. It is empty if
// they chose casual or have no account.
func (s *State) WhyCasual() i18n.Key {
	if s.Me.Account == "" || s.Match.HotSeat {
		return ""
	}
	return s.Stakes.Reason()
}
