package widget

import (
	"time"
)

// Work counts pending background work, such as store access or advice. An indicator
// appears if the work takes long.
type Work struct {
	n     int       // pending operations
	since time.Time // earliest start
}

const (
	workDelay = 500 * time.Millisecond // shorter work shows no indicator
	// WorkInterval is the time between two steps of the indicator.
	WorkInterval = 250 * time.Millisecond
)

// Begin adds a pending operation.
func (w *Work) Begin(now time.Time) {
	if w.n == 0 {
		w.since = now
	}
	w.n++
}

// End removes a pending operation.
func (w *Work) End() { w.n-- }

// Next returns the time until the indicator changes; false if there is no work.
func (w *Work) Next(now time.Time) (time.Duration, bool) {
	if w.n == 0 {
		return 0, false
	}
	if took := now.Sub(w.since); took < workDelay {
		return workDelay - took, true
	}
	return WorkInterval, true
}

// Shown returns how long the work has taken, and whether to show the indicator.
func (w *Work) Shown(now time.Time) (time.Duration, bool) {
	took := now.Sub(w.since)
	return took, w.n > 0 && took >= workDelay
}
