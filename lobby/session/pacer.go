package session

import (
	"time"

	"golang.org/x/time/rate"
)

// newPacer returns the limiter that spreads over time the work that many sessions would do at
// once, such as redrawing their screens after a change that all of them show, so that key presses
// are still handled promptly. Two cores could draw more screens per second, but garbage collection
// would then delay key presses.
func newPacer() *rate.Limiter { return rate.NewLimiter(500, 20) }

// pacedSlot is when a session may do work that its pacer spreads.
type pacedSlot struct {
	pacer *rate.Limiter
	at    time.Time // zero: no turn is requested
}

// acquire reports whether the session may work now; it stays true until end. If no turn is
// requested, comes requests one, and calls wake when it comes.
func (t *pacedSlot) acquire(wake func()) bool {
	now := time.Now()
	if t.at.IsZero() {
		wait := t.pacer.ReserveN(now, 1).DelayFrom(now)
		t.at = now.Add(wait)
		if wait > 0 {
			time.AfterFunc(wait, wake)
		}
	}
	return !now.Before(t.at)
}

// release ends a turn that has come.
func (t *pacedSlot) release() {
	if !time.Now().Before(t.at) {
		t.at = time.Time{}
	}
}
