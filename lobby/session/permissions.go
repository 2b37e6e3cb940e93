package session

import (
	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/match"
)

// CanRemoveOpponent reports whether [Session.RemoveOpponent] is possible. v is the match's newest
// view.
func (s *State) CanRemoveOpponent(v *match.View) bool {
	return s.Match != nil && s.Match.IsHost && v.Phase == match.Placing
}

// WouldRemovalAbort reports whether [Session.RemoveOpponent] would count as the player's abort of
// a rated match. v is the match's newest view.
func (s *State) WouldRemovalAbort(v *match.View) bool {
	return s.CanRemoveOpponent(v) && s.RatingMode.IsRated() && v.Ready[s.Match.Side.Other()]
}

// WouldResigningAbort reports whether resigning now would abort the match without changing
// ratings, instead of losing it. v is the match's newest view.
func (s *State) WouldResigningAbort(v *match.View) bool {
	return s.RatingMode.IsRated() && (s.Match == nil || s.Match.Pace == 0) && !v.AlreadyCounts()
}

// WouldQuittingEndMatch reports whether the running match would end if the player called
// [Session.LeaveMatch] with quit.
func (s *State) WouldQuittingEndMatch() bool {
	return s.Me.Guest && s.Match != nil && s.Match.Opponent.Kind == account.Bot
}

// CasualReason returns why the match is casual although the player chose a rated one. It is empty
// if the player chose a casual match or has no account.
func (s *State) CasualReason() i18n.Key {
	if s.Me.Account == "" || s.Match.HotSeat {
		return ""
	}
	return s.RatingMode.Reason()
}
