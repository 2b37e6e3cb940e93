package session

import (
	"slices"
	"testing"
	"testing/synctest"

	"broadside/lobby"
	"broadside/match"
)

// TestUnlisted checks that a session that is not listed watches and plays, and
// that the lobby does not show it.
func TestUnlisted(t *testing.T) {
	test(t, func(t *testing.T, l *lobby.Lobby, ann, bob *user) {
		own, err := Lobby{l}.Open(t.Context(), Client{Name: "eve", Fingerprint: "SHA256:eve", Unlisted: true})
		if err != nil {
			t.Fatal(err)
		}
		defer own.Close()
		eve := read(t, own.(*Local))
		defer eve.leave()
		if me := eve.Player(); me.ID != "key SHA256:eve" {
			t.Errorf("without accounts, the player of a key is %+v", me)
		}
		fight(ann, bob)
		eve.must(WatchBy{"ann"})
		if eve.HasChat() {
			t.Error("an unlisted session is in the chat of the match that it watches")
		}
		if up := eve.until("the match", kind(WatchChanged)); up.Match.View.Phase != match.Battle {
			t.Errorf("the match that is watched is in phase %v", up.Match.View.Phase)
		}
		ann.until("a snapshot with one spectator", func(u Update) bool {
			here := ann.State().Lobby.Here
			if slices.ContainsFunc(here, func(p Presence) bool { return p.Player.ID == eve.Player().ID }) {
				t.Fatal("the lobby shows an unlisted session")
			}
			return u.Kind == LobbyChanged && len(ann.State().Lobby.Running) == 1 && ann.State().Lobby.Running[0].Watching == 1
		})
		bob.must(Resign{})
		eve.until("the end", kind(WatchEnded))
	})
}

// TestUnlistedPlays checks that two unlisted sessions can be paired and that the
// open offer of one that closes is withdrawn.
func TestUnlistedPlays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lobby.New(lobby.Config{Seed: 1})
		defer l.Close()
		program := func(name string) *user {
			return read(t, New(Config{Lobby: l, Player: Player{ID: name, Name: name, Kind: Program}, Unlisted: true}))
		}
		ann, bob, eve := program("ann"), program("bob"), program("eve")
		sitDown(ann, bob)
		if ann.HasChat() {
			t.Error("an unlisted session is in the chat of its match")
		}
		eve.must(Seek{Rules: match.Classic(), Stakes: Casual})
		eve.leave()
		ann.leave()
		bob.leave()
		ann = program("ann")
		defer ann.leave()
		ann.must(Seek{Rules: match.Classic(), Stakes: Casual})
		if ann.State().Seek == nil {
			t.Error("an offer of a closed session was taken")
		}
	})
}
