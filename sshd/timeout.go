package sshd

import (
	"time"

	"broadside/internal/i18n"
)

// How long before the end of a session its user is warned.
const (
	idleWarning    = time.Minute
	sessionWarning = 5 * time.Minute
)

// warnAt returns when to warn of something that happens after a time.
func warnAt(after, before time.Duration) time.Duration { return after - min(before, after/2) }

// sessionTimer ends a session that is idle or lasts too long, after a warning.
type sessionTimer struct {
	limits Limits
	idle   [2]*time.Timer // the warning and the end
	length [2]*time.Timer
}

func newSessionTimer(p running, l Limits) *sessionTimer {
	return &sessionTimer{
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

// typed restarts the idle time. It must be called for all input.
func (t *sessionTimer) typed() {
	t.idle[0].Reset(warnAt(t.limits.IdleTimeout, idleWarning))
	t.idle[1].Reset(t.limits.IdleTimeout)
}

func (t *sessionTimer) stop() {
	for _, t := range []*time.Timer{t.idle[0], t.idle[1], t.length[0], t.length[1]} {
		t.Stop()
	}
}
