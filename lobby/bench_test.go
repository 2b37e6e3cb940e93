package lobby_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

// BenchmarkFinish lets 200 rated matches end in a second and measures the time until
// players see the end of one, which is after it is on disk:
//
//	go test ./lobby -run - -bench Finish -benchtime 4000x
func BenchmarkFinish(b *testing.B) {
	s := must.Get(store.Open(b.Context(), store.Config{Folder: b.TempDir()}))
	defer s.Close()
	l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
	defer l.Close()
	var players [100]account.Player
	for i := range players {
		name := fmt.Sprintf("player%d", i)
		p := must.Get(s.Accounts.CreatePerson(b.Context(), name, store.Key{Fingerprint: name}))
		players[i] = account.Player{ID: p.ID, Account: p.ID, Name: name}
	}
	took := make([]time.Duration, b.N)
	var work sync.WaitGroup
	tick := time.NewTicker(time.Second / 200)
	defer tick.Stop()
	b.ResetTimer()
	for n := range took {
		<-tick.C
		first := must.Get(l.Offers.Seek(players[n%100], match.Classic(), lobby.Rated))
		second := must.Get(l.Offers.Seek(players[(n+1+n/100%99)%100], match.Classic(), lobby.Rated))
		one, two := <-first.Seated(), <-second.Seated()
		work.Go(func() {
			box := one.Seat.Attach(nil)
			one.Seat.Place(layout())
			two.Seat.Place(layout())
			for shot := range 40 { // some of a match, so that there is something to store
				s := []*live.Seat{two.Seat, one.Seat}[shot%2]
				s.Fire(match.At(shot/2%10, 9-shot/20))
			}
			start := time.Now()
			one.Seat.Resign()
			var u live.Update
			for u.View.Phase != match.Over {
				if err := box.Recv(b.Context(), &u); err != nil {
					b.Error(err)
					return
				}
			}
			took[n] = time.Since(start)
			if !one.Outcome().Stored {
				b.Error("a match was not stored")
			}
		})
	}
	work.Wait()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(0, "ns/op")
}

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
			offers[side] = must.Get(killed.Offers.Seek(account.Player{ID: p.ID, Account: p.ID, Name: name}, match.Classic(), lobby.Casual))
		}
		for side, o := range offers {
			seats[side] = <-o.Seated()
			seats[side].Seat.Place(layout())
		}
		for shot := range shots {
			seats[1-shot%2].Seat.Fire(match.At(shot/2%10, 9))
		}
		box := seats[0].Seat.Attach(nil)
		var u live.Update
		for u.View.Charts[0].Fired+u.View.Charts[1].Fired < shots {
			must.Do(box.Recv(b.Context(), &u))
		}
	}
	for b.Loop() {
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		b.StopTimer()
		if n := l.Stats().Matches; n != matches {
			b.Errorf("%d matches continue", n)
		}
		l.Close()
		b.StartTimer()
	}
}
