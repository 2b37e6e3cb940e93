package bridge

import (
	"testing"
	"time"
)

// TestRetryPauses checks that pauses grow until a game is played, and that a worker gives up only if
// the relay has not answered for too long, however long it has waited for a game.
func TestRetryPauses(t *testing.T) {
	start := time.Now()
	r := newRetry(start)
	for _, c := range []struct {
		after                       time.Duration
		answered, played, canResume bool
		pause                       time.Duration
		ok                          bool
	}{
		{0, false, false, false, firstPause, true},
		{0, true, false, false, 2 * firstPause, true},
		// The bridge has waited for an opponent.
		{3 * maxSilence, true, false, false, 4 * firstPause, true},
		{3 * maxSilence, true, true, false, firstPause, true},
		{3 * maxSilence, true, true, true, resumePause, true},
		{3 * maxSilence, true, true, false, firstPause, true},
		{4 * maxSilence, false, false, false, 2 * firstPause, true},
		{4*maxSilence + 1, false, false, false, 4 * firstPause, false},
	} {
		if pause, ok := r.nextPause(start.Add(c.after), c.answered, c.played, c.canResume); pause != c.pause || ok != c.ok {
			t.Errorf("nextPause for %+v = %v, %v", c, pause, ok)
		}
	}
}
