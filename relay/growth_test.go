//go:build slow

package relay_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"net"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"broadside/lobby"
	"broadside/match"
	"broadside/relay"
)

var manyGames = flag.Int("games", 30_000, "how many games TestManyGamesLeaveNothing plays")

// TestManyGamesLeaveNothing plays so many games that whatever was left of each
// would be seen in the heap, or among the goroutines.
func TestManyGamesLeaveNothing(t *testing.T) {
	const clients = 16
	games := *manyGames
	idle := runtime.NumGoroutine() + 2 // Serve and its doorman
	hall := lobby.New(lobby.Config{})
	defer hall.Close()
	server := relay.New(relay.Config{Lobby: hall, HelloDelay: -1})
	// Loopback would have to find ports for so many.
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
						err = playOut(nc)
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
	play(games / 100) // what is made once is made now
	before := heap()
	begin := time.Now()
	play(games)
	took := time.Since(begin)
	after := heap()
	t.Logf("%d games in %v; heap %d KiB, then %d KiB", games, took, before>>10, after>>10)
	// Goroutines come and go, and a few more of them may have been made.
	if after > before+128<<10+2*uint64(games) {
		t.Errorf("the heap has grown by %d bytes in %d games", after-before, games)
	}
}

// playOut plays one game as a client that knows where the other's fleet lies.
func playOut(nc net.Conn) error {
	defer nc.Close()
	nc.SetDeadline(time.Now().Add(patience))
	lines := bufio.NewReaderSize(nc, 64)
	hear := func() (relay.Message, error) {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return relay.Message{}, err
		}
		return relay.Parse(line[:len(line)-1])
	}
	say := func(m relay.Message) error {
		_, err := nc.Write(m.Append(nil))
		return err
	}
	role, err := hear()
	if err != nil {
		return fmt.Errorf("no role: %w", err)
	}
	if start, err := hear(); err != nil || start.Op != relay.Start {
		return fmt.Errorf("no start: %v, %w", start, err)
	}
	own := match.NewFleet(fleet)
	attacks := role.Op == relay.Assault
	for _, target := range slices.Collect(fleet.Cells().All()) {
		if attacks {
			if err := say(relay.Message{Op: relay.Attack, Cell: target}); err != nil {
				return err
			}
			m, err := hear()
			if err != nil || m.Op != relay.Result || m.Cell != target {
				return fmt.Errorf("instead of a result: %v, %w", m, err)
			}
			if m.Result == match.LastSunk {
				return nil
			}
		}
		attacks = true
		m, err := hear()
		if err != nil || m.Op != relay.Attack {
			return fmt.Errorf("instead of an attack: %v, %w", m, err)
		}
		r := own.Shoot(m.Cell)
		if err := say(relay.Message{Op: relay.Result, Cell: m.Cell, Result: r}); err != nil {
			return err
		}
		if r == match.LastSunk {
			return nil
		}
	}
	return fmt.Errorf("no end")
}
