package component

import (
	"time"
)

// Work counts what is being waited for besides people: the store, or advice. It is
// indicated once it takes long.
type Work struct {
	n     int       // how much is under way
	since time.Time // when it began, at the earliest
}

const (
	workDelay = 500 * time.Millisecond // work that is shorter is not indicated
	// WorkInterval is the time between two steps of the indicator.
	WorkInterval = 250 * time.Millisecond
)

// Begin counts one more.
func (w *Work) Begin(now time.Time) {
	if w.n == 0 {
		w.since = now
	}
	w.n++
}

// End counts one less.
func (w *Work) End() { w.n-- }

// Next returns the time until the indicator changes; false if there is none.
func (w *Work) Next(now time.Time) (time.Duration, bool) {
	if w.n == 0 {
		return 0, false
	}
	if took := now.Sub(w.since); took < workDelay {
		return workDelay - took, true
	}
	return WorkInterval, true
}

// Shown returns for how long the indicator has been needed; false if it is not.
func (w *Work) Shown(now time.Time) (time.Duration, bool) {
	took := now.Sub(w.since)
	return took, w.n > 0 && took >= workDelay
}
