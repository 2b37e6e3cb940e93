package session

import (
	"slices"
	"strings"
	"testing"

	"broadside/internal/i18n"
	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

// TestUnlisted checks that an unlisted session can watch and play, and that the lobby does
// not show it.
func TestUnlisted(t *testing.T) {
	test(t, func(t *testing.T, l *lobby.Lobby, ann, bob *user) {
		own := must.Get((&Host{Lobby: l}).Open(t.Context(), Client{Name: "eve", Fingerprint: "SHA256:eve", Unlisted: true}))
		defer own.Close()
		eve := read(t, own)
		defer eve.leave()
		if me := eve.Player(); !strings.HasPrefix(me.ID, "key-") {
			t.Errorf("without accounts, the player of a key is %+v", me)
		}
		fight(ann, bob)
		eve.must(eve.FindAndWatch("ann"))
		if eve.State().HasChat {
			t.Error("an unlisted session is in the chat of the match that it watches")
		}
		if up := eve.until("the match", kind(WatchChanged)); up.Match.View.Phase != match.Battle {
			t.Errorf("the match that is watched is in phase %v", up.Match.View.Phase)
		}
		ann.until("a snapshot with one spectator", func(u Update) bool {
			here := ann.State().Lobby.People
			if slices.ContainsFunc(here, func(p lobby.Presence) bool { return p.Player.ID == eve.Player().ID }) {
				t.Fatal("the lobby shows an unlisted session")
			}
			return u.Kind == LobbyChanged && len(ann.State().Lobby.Running) == 1 && ann.State().Lobby.Running[0].Watching == 1
		})
		bob.must(bob.Resign(match.First))
		eve.until("the end", kind(WatchEnded))
	})
}

// TestUnlistedPlays checks that two unlisted sessions can be paired and that closing an
// unlisted session withdraws its open offer.
func TestUnlistedPlays(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		program := func(name string) *user {
			return read(t, New(Config{Lobby: l, Player: account.Player{ID: name, Name: name, Kind: account.Program}, Client: Client{Unlisted: true}}))
		}
		ann, bob, eve := program("ann"), program("bob"), program("eve")
		sitDown(ann, bob)
		if ann.State().HasChat {
			t.Error("an unlisted session is in the chat of its match")
		}
		eve.must(eve.FindOpponent(match.Classic(), lobby.Casual))
		eve.leave()
		ann.leave()
		bob.leave()
		ann = program("ann")
		defer ann.leave()
		ann.must(ann.FindOpponent(match.Classic(), lobby.Casual))
		if ann.State().Offer == nil {
			t.Error("an offer of a closed session was taken")
		}
	})
}

// TestEndedByOperator checks that the selected sessions end at once with the given message,
// also in the lobby, and that others continue.
func TestEndedByOperator(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		host := &Host{Lobby: l}
		enter := func(name, conn string) *user {
			s := must.Get(host.Open(t.Context(), Client{Name: name, Fingerprint: "SHA256:" + name, Conn: conn}))
			return read(t, s)
		}
		ann, bob := enter("ann", "1"), enter("bob", "2")
		defer bob.leave()
		fight(ann, bob)
		if all := host.List(); len(all) != 2 || all[0].Name() != "ann" || all[1].Conn != "2" || all[0].Fingerprint != "SHA256:ann" {
			t.Errorf("open are %+v", all)
		}
		called := func(name string) func(SessionInfo) bool {
			return func(c SessionInfo) bool { return c.Matches(name) }
		}
		if n := host.EndSessions(called("3"), i18n.NewMessage("No.")); n != 0 {
			t.Errorf("%d sessions are called 3", n)
		}
		if n := host.EndSessions(called("ANN"), i18n.NewMessage("An operator has ended your session.")); n != 1 {
			t.Errorf("%d sessions are called ANN", n)
		}
		// The channel is closed when the updates end.
		for range ann.updates {
		}
		_, err := ann.Next(t.Context())
		if err == nil || i18n.MustParse("de").ErrorText(err) != i18n.MustParse("de").Text("An operator has ended your session.") {
			t.Errorf("the parting words are %v", err)
		}
		if again := ann.Fire(match.First, 0, match.NewCell(0, 0)); again != err {
			t.Errorf("after the end, an action: %v", again)
		}
		away, alone := false, false
		bob.until("a lobby without ann, who is away", func(u Update) bool {
			away = away || u.Kind == MatchChanged && u.Match.Away[u.Side.Other()]
			alone = alone || u.Kind == LobbyChanged && len(bob.State().Lobby.People) == 1
			return away && alone
		})
		if all := host.List(); len(all) != 1 || all[0].Name() != "bob" {
			t.Errorf("after the end, open are %+v", all)
		}
		ann.leave()
	})
}
