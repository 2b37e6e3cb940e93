package lobby_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

// BenchmarkArrival measures how long a guest waits for the lobby to enter it, to show the
// featured match, to start a match against a bot and to leave, while other people are in
// the lobby. A quarter of them play, and some wait for an opponent. The times must not
// grow with their number.
//
//	go test ./lobby -run - -bench Arrival -benchtime 3000x
func BenchmarkArrival(b *testing.B) {
	for _, people := range []int{100, 300, 1000, 2000, 5000} {
		b.Run(fmt.Sprintf("people=%d", people), func(b *testing.B) {
			l := lobbytest.Open(lobby.Config{Seed: 1})
			defer l.Close()
			for n := range people {
				m := l.Enter(account.Player{Kind: account.Person, Name: "root"})
				switch n % 20 {
				case 0, 1, 2, 3, 4:
					playEasy(b, l, m)
				case 5:
					must.Get(l.Offers.OpenPrivate(m.Player(), match.Classic(), lobby.Casual))
				default:
					m.ShowFeatured(true)
				}
			}
			took := make([]time.Duration, 0, b.N)
			for b.Loop() {
				start := time.Now()
				m := l.Enter(account.Player{Kind: account.Person, Name: "root"})
				m.ShowFeatured(true)
				m.ShowFeatured(false)
				seat := playEasy(b, l, m)
				took = append(took, time.Since(start))
				seat.Resign()
				m.Leave()
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1000, "p50-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1000, "p99-µs")
		})
	}
}

func playEasy(b *testing.B, l *lobby.Lobby, m *lobby.Member) *lobby.Seat {
	b.Helper()
	return must.Get(l.Matches.PlayBot(m.Player(), "easy", match.Classic(), lobby.Casual))
}
