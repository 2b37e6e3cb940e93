package tui

import (
	"testing"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/lobby/stakes"
	"broadside/match"
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
		s := session.State{Me: account.Player{Account: c.account}, Stakes: c.stakes, Match: &session.Match{HotSeat: c.hotSeat}}
		if got := s.WhyCasual(); got != c.want {
			t.Errorf("%v with the account %q: %q, want %q", c.stakes, c.account, got, c.want)
		}
	}
}

// TestRunningMatchesSayWhetherRated checks that the list of matches shows the stakes of
// each.
func TestRunningMatchesSayWhetherRated(t *testing.T) {
	pair(t, 80, 24, func(t *testing.T, l *lobby.Lobby, a, b *driver) {
		d := drive(t, l, account.Player{Name: "pat"}, 80, 24)
		defer d.close()
		if _, err := l.Matches.PlayBot(ann, "easy", match.Classic(), lobby.Casual); err != nil {
			t.Fatal(err)
		}
		d.press("w")
		d.see("casual")
	})
}
