package relay

import (
	"fmt"
	"testing"
	"time"
)

// TestPausesGrow checks that a program that keeps opponents waiting is offered less and
// less often, and that the memory for this is bounded.
func TestPausesGrow(t *testing.T) {
	t.Parallel()
	w := newWaits(1)
	now := time.Now()
	for _, want := range []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute, 32 * time.Minute, time.Hour, time.Hour} {
		w.blame("a", now)
		if got := w.paused("a").Sub(now); got != want {
			t.Errorf("a pause of %v, want %v", got, want)
		}
		now = w.paused("a")
	}
	now = now.Add(forgetTime + time.Second)
	w.blame("a", now)
	if got := w.paused("a").Sub(now); got != time.Minute {
		t.Errorf("after a long time, a pause of %v", got)
	}
	if !w.paused("b").IsZero() {
		t.Error("another program is paused, too")
	}
	for i := range maxOffenders + 1 {
		w.blame(fmt.Sprint(i), now)
	}
	if len(w.offenders) > maxOffenders {
		t.Errorf("%d are remembered", len(w.offenders))
	}
	if !w.acquire("a") || w.acquire("a") || !w.acquire("b") {
		t.Error("the places are not counted by origin")
	}
	if w.release("a"); !w.acquire("a") || len(w.places) != 2 {
		t.Error("a place was not given back")
	}
}
