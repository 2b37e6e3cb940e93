package session

import (
	"testing"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/ratingmode"
)

// TestWhyCasual checks that a player with an account who chose rated sees why a match is
// casual, and that no one else does.
func TestWhyCasual(t *testing.T) {
	for _, c := range []struct {
		account    string
		ratingMode lobby.RatingMode
		hotSeat    bool
		want       i18n.Key
	}{
		{"a", ratingmode.CasualGuest, false, ratingmode.CasualGuest.Reason()},
		{"a", ratingmode.CasualOften, false, ratingmode.CasualOften.Reason()},
		{"a", lobby.Casual, false, ""},
		{"a", lobby.Rated, false, ""},
		{"", ratingmode.CasualGuest, false, ""},
		{"a", ratingmode.CasualHotSeat, true, ""},
	} {
		s := State{Me: account.Player{Account: c.account}, RatingMode: c.ratingMode, Match: &Match{HotSeat: c.hotSeat}}
		if got := s.CasualReason(); got != c.want {
			t.Errorf("%v with the account %q: %q, want %q", c.ratingMode, c.account, got, c.want)
		}
	}
}
