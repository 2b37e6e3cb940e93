package session

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestTurns checks that few callers proceed at once, and many in succession.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pacer Pacer
		began := time.Now()
		var mu sync.Mutex
		passed := map[time.Duration]int{} // by the time since then
		var all sync.WaitGroup
		for range 1000 {
			all.Go(func() {
				turn := make(chan struct{})
				if pacer.reserve(func() { close(turn) }) > 0 {
					<-turn
				}
				mu.Lock()
				defer mu.Unlock()
				passed[time.Since(began)]++
			})
		}
		all.Wait()
		for at, n := range passed {
			if n > groupSize {
				t.Errorf("%d pass after %v", n, at)
			}
		}
		if d := time.Since(began); d < 1900*time.Millisecond || d > 2100*time.Millisecond {
			t.Errorf("a thousand take %v", d)
		}
		time.Sleep(time.Second)
		if wait := pacer.reserve(nil); wait != 0 {
			t.Errorf("a single caller waits for %v", wait)
		}
	})
}

// TestTurn checks that a session is woken once for its turn, and again if something happens
// before it has ended the turn.
func TestTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pacer Pacer
		woken := 0
		turn := pacer.NewTurn(true, func() { woken++ })
		if !turn.Comes() || woken != 0 {
			t.Fatal("a single session waits for its turn")
		}
		turn.End()
		for range groupSize {
			pacer.reserve(func() {})
		}
		turn.Request()
		turn.Request()
		if turn.Comes() {
			t.Fatal("a turn comes too early")
		}
		turn.End() // has no effect: the turn has not come yet
		time.Sleep(groupTime)
		synctest.Wait()
		if woken != 1 || !turn.Comes() || !turn.Comes() {
			t.Fatalf("woken %d times for a turn, want once", woken)
		}
		turn.Request()
		turn.End()
		time.Sleep(groupTime)
		synctest.Wait()
		if woken != 2 {
			t.Errorf("woken %d times for two turns", woken)
		}
	})
}

// TestTurnsOfNewSessions checks that sessions wait longer while others arrive.
func TestTurnsOfNewSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pacer Pacer
		turn := pacer.NewTurn(true, func() {})
		for range 5 * groupSize {
			pacer.NewTurn(true, func() {})
		}
		if turn.Comes() {
			t.Fatal("new sessions take no turns")
		}
		time.Sleep(5 * groupTime)
		synctest.Wait()
		if !turn.Comes() {
			t.Error("a session waits longer than all new ones")
		}
	})
}
