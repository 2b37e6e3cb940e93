package session

import (
	"time"

	"golang.org/x/time/rate"
)

// newPacer returns a limiter for work that many sessions would otherwise do at the same time, such
// as redrawing their screens after a change that all of them show. Key presses are then still
// handled promptly. Two cores could draw more screens per second, but garbage collection would
// delay key presses.
func newPacer() *rate.Limiter { return rate.NewLimiter(500, 20) }

// pacedSlot is a session's slot for work that its pacer limits.
type pacedSlot struct {
	pacer *rate.Limiter
	// at is zero if no slot is requested.
	at time.Time
}

// acquire reports whether the session may work now. Once true, this stays true until release. If no slot is
// requested, acquire requests one and, if the session must wait, calls wake when the slot is due.
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

func (t *pacedSlot) release() {
	if !time.Now().Before(t.at) {
		t.at = time.Time{}
	}
}
