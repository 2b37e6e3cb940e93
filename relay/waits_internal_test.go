package relay

import (
	"fmt"
	"testing"
	"time"
)

// TestBlame checks that the blame lasts for rememberTime, for one origin, and needs limited memory.
func TestBlame(t *testing.T) {
	t.Parallel()
	w := newWaits(1)
	now := time.Now()
	w.blame("a", now)
	if !w.isBlamed("a", now.Add(rememberTime-time.Second)) || w.isBlamed("a", now.Add(rememberTime)) || w.isBlamed("b", now) {
		t.Error("the blame does not last for rememberTime, or is shared")
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
