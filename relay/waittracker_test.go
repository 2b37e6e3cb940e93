package relay

import (
	"fmt"
	"testing"
	"time"
)

// TestBlame checks that the blame lasts for rememberTime, for one origin, and needs limited memory.
func TestBlame(t *testing.T) {
	t.Parallel()
	w := newWaitTracker(1)
	now := time.Now()
	w.recordOffence("a", now)
	if !w.isOffender("a", now.Add(offenceTime-time.Second)) || w.isOffender("a", now.Add(offenceTime)) || w.isOffender("b", now) {
		t.Error("the blame does not last for rememberTime, or is shared")
	}
	for i := range maxOffenders + 1 {
		w.recordOffence(fmt.Sprint(i), now)
	}
	if len(w.offenders) > maxOffenders {
		t.Errorf("%d are remembered", len(w.offenders))
	}
	if !w.reservePlace("a") || w.reservePlace("a") || !w.reservePlace("b") {
		t.Error("the places are not counted by origin")
	}
	if w.releasePlace("a"); !w.reservePlace("a") || len(w.waiting) != 2 {
		t.Error("a place was not given back")
	}
}
