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
		passed := map[time.Duration]int{} // by the time since then, in hundredths of a second
		var all sync.WaitGroup
		for range 1000 {
			all.Go(func() {
				time.Sleep(pacer.Delay())
				mu.Lock()
				defer mu.Unlock()
				passed[time.Since(began).Truncate(10*time.Millisecond)]++
			})
		}
		all.Wait()
		for at, n := range passed {
			if n > 10 {
				t.Errorf("%d pass between %v and 10 ms later", n, at)
			}
		}
		if d := time.Since(began); d < 1900*time.Millisecond || d > 2100*time.Millisecond {
			t.Errorf("a thousand take %v", d)
		}
		time.Sleep(time.Second)
		if wait := pacer.Delay(); wait != 0 {
			t.Errorf("a single caller waits for %v", wait)
		}
	})
}
