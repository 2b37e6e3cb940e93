package lobby_test

import (
	"fmt"
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

// BenchmarkRestart opens the lobby of a server that was killed during 2,000 matches:
//
//	go test ./lobby -run - -bench Restart -benchtime 1x
func BenchmarkRestart(b *testing.B) {
	const matches, shots = 2000, 20
	s := must.Get(store.Open(b.Context(), store.Config{Folder: b.TempDir()}))
	defer s.Close()
	killed := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
	defer killed.Close()
	for n := range matches {
		var seats [2]*lobby.Seat
		var offers [2]*lobby.Offer
		for side := range offers {
			name := fmt.Sprintf("player%d.%d", n, side)
			p := must.Get(s.Accounts.CreatePerson(b.Context(), name, store.Key{Fingerprint: name}))
			offers[side] = must.Get(killed.Offers.FindOpponent(account.Player{ID: p.ID, Account: p.ID, Name: name}, match.Classic(), lobby.Casual))
		}
		for side, o := range offers {
			seats[side] = <-o.Seat()
			seats[side].Seat.Place(layout())
		}
		for shot := range shots {
			seats[1-shot%2].Seat.Fire(match.NewCell(shot/2%10, 9))
		}
		box := seats[0].Seat.Attach(nil)
		var u live.Update
		for u.View.Charts[0].Fired+u.View.Charts[1].Fired < shots {
			must.Do(box.Receive(b.Context(), &u))
		}
	}
	for b.Loop() {
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		b.StopTimer()
		if n := l.Stats().RunningMatches; n != matches {
			b.Errorf("%d matches continue", n)
		}
		l.Close()
		b.StartTimer()
	}
}
