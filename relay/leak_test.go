//go:build slow

package relay_test

import (
	"context"
	"flag"
	"net"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/relay"
)

var manyGames = flag.Int("games", 30_000, "how many games TestManyGamesLeakNothing plays")

// TestManyGamesLeakNothing plays so many games that any leak per game shows in the heap or
// the number of goroutines.
func TestManyGamesLeakNothing(t *testing.T) {
	const clients = 16
	games := *manyGames
	l := lobbytest.Open(lobby.Config{})
	// Serve adds two goroutines.
	idle := runtime.NumGoroutine() + 2
	defer l.Close()
	server := relay.New(relay.Config{Host: &session.Host{Lobby: l}, HelloDelay: -1, Limits: relay.Limits{ConnRate: 1 << 30, ConnBurst: 1 << 30}})
	// Loopback does not have enough ports for so many.
	listener, err := net.Listen("unix", filepath.Join(t.TempDir(), "relay"))
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() { server.Serve(listener) })
	defer serving.Wait()
	defer server.Shutdown(context.Background())
	defer listener.Close()

	play := func(games int) {
		var wg sync.WaitGroup
		var seats atomic.Int64
		for range clients {
			wg.Go(func() {
				for seats.Add(1) <= int64(2*games) {
					nc, err := net.Dial("unix", listener.Addr().String())
					if err == nil {
						err = playKnownGame(nc)
					}
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
	}
	heap := func() uint64 {
		for begin := time.Now(); runtime.NumGoroutine() > idle; time.Sleep(time.Millisecond) {
			if time.Since(begin) > patience {
				t.Fatalf("%d goroutines are left, there were %d", runtime.NumGoroutine(), idle)
			}
		}
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	// The first games allocate what is kept between games.
	play(games / 100)
	before := heap()
	begin := time.Now()
	play(games)
	took := time.Since(begin)
	after := heap()
	t.Logf("%d games in %v; heap %d KiB, then %d KiB", games, took, before>>10, after>>10)
	// The runtime may have created a few more goroutines, whose memory it keeps.
	if after > before+128<<10+2*uint64(games) {
		t.Errorf("the heap has grown by %d bytes in %d games", after-before, games)
	}
}
