package sshd

import (
	"time"

	"broadside/internal/i18n"
)

// timeWatch ends a session when its time is over, and says so before.
type timeWatch struct {
	limits Limits
	idle   [2]*time.Timer // the warning and the end
	length [2]*time.Timer
}

func watchTime(p running, l Limits) *timeWatch {
	return &timeWatch{
		limits: l,
		idle: [2]*time.Timer{
			time.AfterFunc(warnAt(l.IdleTimeout, idleWarning), func() { p.notify(i18n.Mean("Are you still there? Press a key, or this session ends soon.")) }),
			time.AfterFunc(l.IdleTimeout, func() { p.end(i18n.Mean("You were away for a while. Come back any time.")) }),
		},
		length: [2]*time.Timer{
			time.AfterFunc(warnAt(l.SessionTime, sessionWarning), func() { p.notify(i18n.Mean("This session has lasted long and ends soon: connect again to go on.")) }),
			time.AfterFunc(l.SessionTime, func() {
				p.end(i18n.Mean("This session has lasted as long as one may. Your game is safe: connect again to go on."))
			}),
		},
	}
}

// typed notes that the person is there.
func (w *timeWatch) typed() {
	w.idle[0].Reset(warnAt(w.limits.IdleTimeout, idleWarning))
	w.idle[1].Reset(w.limits.IdleTimeout)
}

func (w *timeWatch) stop() {
	for _, t := range []*time.Timer{w.idle[0], w.idle[1], w.length[0], w.length[1]} {
		t.Stop()
	}
}

// The last moments of a session are announced: to who does nothing, and to who
// has been here for as long as one may.
const (
	idleWarning    = time.Minute
	sessionWarning = 5 * time.Minute
)

// warnAt is when to warn of something that happens after a time.
func warnAt(after, before time.Duration) time.Duration { return after - min(before, after/2) }
