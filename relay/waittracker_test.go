package relay

import (
	"fmt"
	"testing"
	"time"
)

// TestOffencesAndPlacesByOrigin checks that an origin is an offender for offenceTime, that memory is
// limited, and that each origin has its own places.
func TestOffencesAndPlacesByOrigin(t *testing.T) {
	t.Parallel()
	w := newWaitTracker(1)
	now := time.Now()
	w.recordKeptWaiting("a", now)
	if !w.isOffender("a", now.Add(offenceTime-time.Second)) || w.isOffender("a", now.Add(offenceTime)) || w.isOffender("b", now) {
		t.Error("an offence does not last for offenceTime, or counts for another origin")
	}
	for i := range maxOffenders + 1 {
		w.recordKeptWaiting(fmt.Sprint(i), now)
	}
	if len(w.offenders) > maxOffenders {
		t.Errorf("%d offenders are remembered, want at most %d", len(w.offenders), maxOffenders)
	}
	if !w.reservePlace("a") || w.reservePlace("a") || !w.reservePlace("b") {
		t.Error("the places are not counted by origin")
	}
	if w.releasePlace("a"); !w.reservePlace("a") || len(w.waiting) != 2 {
		t.Error("releasePlace does not free the place")
	}
}
