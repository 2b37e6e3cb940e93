package session

import (
	"testing"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/stakes"
)

// TestWhyCasual checks that a player with an account who chose rated sees why a match is
// casual, and that nobody else does.
func TestWhyCasual(t *testing.T) {
	for _, c := range []struct {
		account string
		stakes  lobby.Stakes
		hotSeat bool
		want    i18n.Key
	}{
		{"a", stakes.CasualGuest, false, stakes.CasualGuest.Reason()},
		{"a", stakes.CasualOften, false, stakes.CasualOften.Reason()},
		{"a", lobby.Casual, false, ""},
		{"a", lobby.Rated, false, ""},
		{"", stakes.CasualGuest, false, ""},
		{"a", stakes.CasualHotSeat, true, ""},
	} {
		s := State{Me: account.Player{Account: c.account}, Stakes: c.stakes, Match: &Match{HotSeat: c.hotSeat}}
		if got := s.CasualReason(); got != c.want {
			t.Errorf("%v with the account %q: %q, want %q", c.stakes, c.account, got, c.want)
		}
	}
}
