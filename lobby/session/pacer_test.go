package session

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/must"
	"broadside/lobby"
)

// TestTurns checks that few sessions work at once and many in succession, and that a session is
// woken once for its turn.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pacer := newPacer()
		const n = 1000
		turns, woken, early := make([]pacedSlot, n), make([]atomic.Int32, n), 0
		for i := range turns {
			turns[i].pacer = pacer
			wake := func() { woken[i].Add(1) }
			if turns[i].acquire(wake) {
				early++
			} else if turns[i].acquire(wake) {
				t.Fatal("a turn comes too early")
			}
			// release has no effect before the slot's time has come.
			turns[i].release()
		}
		if early == 0 || early > 50 {
			t.Errorf("%d of %d sessions work at once", early, n)
		}
		for _, wait := range []time.Duration{time.Second, 1100 * time.Millisecond} {
			time.Sleep(wait)
			synctest.Wait()
			come := 0
			for i := range woken {
				times := int(woken[i].Load())
				come += times
				if times > 1 || times == 1 && !turns[i].acquire(nil) {
					t.Fatalf("session %d was woken %d times for one turn", i, times)
				}
			}
			if wait == time.Second && (come < 400 || come > 600) || wait > time.Second && come != n-early {
				t.Errorf("%d sessions have been woken", come)
			}
		}
		last := &turns[n-1]
		last.release()
		if !last.acquire(nil) {
			t.Error("a single session waits for its next turn")
		}
	})
}

// TestTurnsOfNewSessions checks that sessions wait longer while others arrive.
func TestTurnsOfNewSessions(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		host := Host{Lobby: l}
		var first *Session
		for range 520 {
			s := must.Get(host.Open(t.Context(), Client{Name: "ann"}))
			defer s.Close()
			if first == nil {
				first = s
			}
		}
		if first.slot.acquire(func() {}) {
			t.Fatal("new sessions take no turns")
		}
		time.Sleep(1100 * time.Millisecond)
		synctest.Wait()
		if !first.slot.acquire(nil) {
			t.Error("a session waits longer than all new ones")
		}
	})
}
