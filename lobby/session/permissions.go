package session

import (
	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/match"
)

// CanRemoveOpponent reports whether [RemoveOpponent] is possible. v is the newest view of
// the match.
func (s *State) CanRemoveOpponent(v *match.View) bool {
	return s.Match != nil && s.Match.Host && v.Phase == match.Placing
}

// WouldRemovalAbort reports whether [RemoveOpponent] counts as the player's abort of a rated match. v is
// the newest view of the match.
func (s *State) WouldRemovalAbort(v *match.View) bool {
	return s.CanRemoveOpponent(v) && s.RatingMode.IsRated() && v.Ready[s.Match.Side.Other()]
}

// WouldResigningAbort reports whether resigning now would abort the match without changing
// ratings, instead of losing it. v is the newest view of the match.
func (s *State) WouldResigningAbort(v *match.View) bool {
	return s.RatingMode.IsRated() && !v.AlreadyCounts()
}

// WouldQuittingEndMatch reports whether the running match ends if the player quits; see [Session.LeaveMatch].
func (s *State) WouldQuittingEndMatch() bool {
	return s.Me.Guest && s.Match != nil && s.Match.Opponent.Kind == account.Bot
}

// CasualReason returns why the player's match is casual although they chose rated. It is empty if
// they chose casual or have no account.
func (s *State) CasualReason() i18n.Key {
	if s.Me.Account == "" || s.Match.HotSeat {
		return ""
	}
	return s.RatingMode.Reason()
}
