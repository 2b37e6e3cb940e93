package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// TestCountdownWakesForItsText checks that a countdown wakes the session only when its text
// changes: once a minute, once a second in the last minute, and not at all behind the help.
func TestCountdownWakesForItsText(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		wakes := 0
		d.press("b", "1")
		d.see("5 min left")
		d.pass(1500 * time.Millisecond) // the lobby's last change
		d.heard = func(tea.Msg) { wakes++ }
		passing := func(long time.Duration, want int, text string) {
			t.Helper()
			wakes = 0
			d.pass(long)
			if wakes != want {
				t.Errorf("%d wakes in %v, not %d", wakes, long, want)
			}
			d.see(text)
		}
		passing(57*time.Second, 0, "5 min left")
		passing(3*time.Minute, 3, "2 min left")
		d.press("?")
		passing(10*time.Second, 0, "Help")
		d.press("?")
		d.see("0:52 left")
		passing(10*time.Second, 10, "0:42 left")
	})
}

// TestWaitingWakesForItsText checks that the waiting screen wakes the session once a minute.
func TestWaitingWakesForItsText(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("p")
		d.see("less than a minute so far")
		d.pass(1500 * time.Millisecond) // the lobby's last change
		wakes := 0
		d.heard = func(tea.Msg) { wakes++ }
		d.pass(3 * time.Minute)
		d.see("3 minutes so far")
		if wakes != 3 {
			t.Errorf("%d wakes in 3 minutes, not 3", wakes)
		}
	})
}
