//go:build unix

package lobby_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"syscall"
	"testing"
	"time"

	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

// cpu is the time that this process has used.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkMatch plays whole matches of a person against the bot hard, and reports
// the CPU time of each. Screens are not part of it.
//
//	go test ./lobby -run - -bench 'Match$' -benchtime 300x -count 5
func BenchmarkMatch(b *testing.B) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1})
	defer l.Close()
	start := cpu()
	b.ResetTimer()
	for i := range b.N {
		playBot(b, l, i)
	}
	b.ReportMetric(float64((cpu()-start).Microseconds())/float64(b.N), "cpu-µs/match")
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapInuse-before.HeapInuse)/(1<<20), "MiB-heap")
}

// playBot plays a match against hard, shooting at random.
func playBot(b *testing.B, l *lobby.Lobby, i int) {
	rng := rand.New(rand.NewPCG(uint64(i), 1))
	s := must.Get(l.Matches.PlayBot(account.Player{ID: fmt.Sprint("key-", i), Name: "bench"}, "hard", match.Classic(), lobby.Rated))
	box := s.Seat.Attach(nil)
	s.Seat.Place(match.Classic().RandomLayout(rng))
	var u live.Update
	asked := -1
	for box.Recv(b.Context(), &u) == nil {
		chart := &u.View.Charts[s.Seat.Side()]
		if u.View.Phase == match.Battle && u.View.Turn == s.Seat.Side() && !u.View.Pending && asked != chart.Fired {
			asked = chart.Fired
			open := chart.Open()
			s.Seat.Fire(open.Nth(rng.IntN(open.Len())))
		}
	}
}
