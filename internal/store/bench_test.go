package store_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/match"
)

// BenchmarkFinishing stores rated matches that end at random moments, 200 a second on
// average, while other players read the leaderboard and their histories. It measures how
// long a match waits until it is on disk: go test -run - -bench Finishing -benchtime 2000x
// ./internal/store
func BenchmarkFinishing(b *testing.B) {
	const pace = 200 // matches a second
	s := openStore(b)
	rng := newRandom(15)
	var players []store.Player
	for i := range 100 {
		players = append(players, createPerson(b, s, fmt.Sprint("p", i)))
	}
	var matches []store.Match // played before the clock runs, and again with change your name
	for range 200 {
		i := rng.IntN(100)
		matches = append(matches, newFinishedMatch(rng, players[i], players[(i+1+rng.IntN(99))%100], match.Side(rng.IntN(2)), start))
	}
	took := make([]time.Duration, b.N)
	done := make(chan struct{})
	var readers, writers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-done:
					return
				case <-time.After(5 * time.Millisecond):
				}
				if _, err := s.Ratings.Leaderboard(ctx, store.People, "classic", start, 20); err != nil {
					b.Error(err)
				}
				if _, err := s.Matches.ListByPlayer(ctx, players[i%100].ID, store.Cursor{}, 20); err != nil {
					b.Error(err)
				}
			}
		})
	}
	b.ResetTimer()
	next := time.Now()
	for i := range b.N {
		next = next.Add(time.Duration(rng.ExpFloat64() / pace * float64(time.Second)))
		time.Sleep(time.Until(next))
		m := matches[i%len(matches)]
		m.ID = store.NewID()
		writers.Go(func() {
			began := time.Now()
			if _, err := s.Matches.Finish(ctx, m); err != nil {
				b.Error(err)
			}
			took[i] = time.Since(began)
		})
	}
	writers.Wait()
	b.StopTimer()
	close(done)
	readers.Wait()
	slices.Sort(took)
	for name, share := range map[string]float64{"p50-ms": 0.5, "p99-ms": 0.99, "max-ms": 1} {
		b.ReportMetric(float64(took[min(len(took)-1, int(share*float64(len(took))))])/1e6, name)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "matches/s")
}
