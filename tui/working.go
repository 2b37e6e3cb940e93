package tui

import (
	"time"
)

// working is what is being waited for besides people: the disk, or a thought.
// It is shown once it takes long.
type working struct {
	n     int       // how much is on its way
	since time.Time // when the oldest of it began, at the earliest
}

// The times of the sign that something is being worked at.
const (
	workLong  = 500 * time.Millisecond // nothing is said of less
	workPause = 250 * time.Millisecond // between two pictures of the sign
)

func (w *working) begin(now time.Time) {
	if w.n == 0 {
		w.since = now
	}
	w.n++
}

func (w *working) end() { w.n-- }

// next is the time until the sign changes, if there is one.
func (w *working) next(now time.Time) (time.Duration, bool) {
	if w.n == 0 {
		return 0, false
	}
	if took := now.Sub(w.since); took < workLong {
		return workLong - took, true
	}
	return workPause, true
}

// shown is for how long the sign is there; false without one.
func (w *working) shown(now time.Time) (time.Duration, bool) {
	took := now.Sub(w.since)
	return took, w.n > 0 && took >= workLong
}

// spinner is a sign that turns by one with each pace; nothing where nothing is
// animated.
func (m *Model) spinner(took, pace time.Duration) string {
	if m.settings.NoAnimation {
		return ""
	}
	const signs = `|/-\`
	at := int(took/pace) % len(signs)
	return signs[at:at+1] + " "
}
