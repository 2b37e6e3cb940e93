//go:build unix

package lobby_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"syscall"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/lobby/cluster"
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

func inMemory(*testing.B) cluster.Node { return cluster.Alone() }

func embedded(b *testing.B) cluster.Node {
	n, err := cluster.Join(b.Context(), cluster.Config{Name: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	return n
}

// BenchmarkNodeMatch plays whole matches of a person against the bot hard, and
// reports the time of processors that each takes: with a lobby in memory only,
// with the embedded server as a single process has it by default, and both with
// the log of each match that nodes of a cluster write. Screens are not part of
// it.
//
//	go test ./lobby -run - -bench NodeMatch -benchtime 300x -count 5
func BenchmarkNodeMatch(b *testing.B) {
	for _, kind := range []struct {
		name   string
		join   func(b *testing.B) cluster.Node
		single bool
	}{
		{"memory", inMemory, true},
		{"default", embedded, true},
		{"memory-logged", inMemory, false},
		{"embedded-logged", embedded, false},
	} {
		b.Run(kind.name, func(b *testing.B) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			node := kind.join(b)
			defer node.Close()
			l, err := lobby.Open(b.Context(), lobby.Config{Seed: 1, BotPace: -1, Node: node, Single: kind.single})
			if err != nil {
				b.Fatal(err)
			}
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
		})
	}
}

// playBot plays a match against hard, shooting at random.
func playBot(b *testing.B, l *lobby.Lobby, i int) {
	rng := rand.New(rand.NewPCG(uint64(i), 1))
	s, err := l.ChallengeBot(lobby.Player{ID: fmt.Sprint("key-", i), Name: "bench"}, "hard", match.Classic(), lobby.Rated)
	if err != nil {
		b.Fatal(err)
	}
	box := s.Seat.Attach()
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
