//go:build slow

package lobby_test

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/match"
)

// TestDormantMatchesCostNothing checks that correspondence matches in the store neither slow down the start nor take
// memory. It reports the figures, and uses the PostgreSQL database in POSTGRES, if it is set.
//
//	go test -tags slow -run DormantMatches -v ./lobby
func TestDormantMatchesCostNothing(t *testing.T) {
	const matches, players, events = 10000, 500, 60
	s := must.Get(store.Open(t.Context(), store.Config{Folder: t.TempDir(), URL: os.Getenv("POSTGRES")}))
	defer s.Close()
	var ids [players]string
	for i := range ids {
		name := fmt.Sprintf("player%d", i)
		ids[i] = must.Get(s.Accounts.CreatePerson(t.Context(), name, store.Key{Fingerprint: name})).ID
	}
	// The first start creates what later ones find.
	measureStart(t, s)
	time0, heap0 := measureStart(t, s)
	m := storetest.NewMatch(2, match.Classic().WithClock(0), "ann", "bob")
	for n := range matches {
		m.ID = store.NewID()
		m.Seats[0].Player, m.Seats[1].Player = ids[n%players], ids[(n+1+n/players)%players]
		must.Do(storetest.AddCorrespondence(t.Context(), s, m, events))
	}
	time1, heap1 := measureStart(t, s)
	t.Logf("start %v, heap %d KiB. With %d matches: start %v, heap %d KiB", time0, heap0>>10, matches, time1, heap1>>10)
	if heap1 > heap0+256<<10 {
		t.Errorf("the heap grew by %d bytes", heap1-heap0)
	}
	if time1 > 3*time0+50*time.Millisecond {
		t.Errorf("the start takes %v instead of %v", time1, time0)
	}
}

// measureStart returns the shortest time of ten starts of a lobby, and the heap while it is open.
func measureStart(t *testing.T, s *store.Store) (shortest time.Duration, heap int64) {
	t.Helper()
	shortest = time.Hour
	for range 10 {
		start := time.Now()
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		shortest = min(shortest, time.Since(start))
		if n := l.Matches.Count(); n != 0 {
			t.Errorf("%d matches are loaded, want 0", n)
		}
		var stats runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&stats)
		heap = int64(stats.HeapAlloc)
		l.Close()
	}
	return shortest, heap
}
