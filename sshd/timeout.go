package sshd

import (
	"time"

	"broadside/internal/i18n"
)

// Warnings are sent this long before a session ends.
const (
	idleWarning    = time.Minute
	sessionWarning = 5 * time.Minute
)

// warnAt returns when to warn of an event that happens after a time: before the event by
// the given time, or by half the remaining time if that is shorter.
func warnAt(after, before time.Duration) time.Duration { return after - min(before, after/2) }

// sessionTimer ends a session that is idle or lasts too long, after a warning.
type sessionTimer struct {
	limits *Limits
	idle   [2]*time.Timer // the warning and the end
	length [2]*time.Timer
}

func newSessionTimer(p running, l *Limits) *sessionTimer {
	return &sessionTimer{
		limits: l,
		idle: [2]*time.Timer{
			time.AfterFunc(warnAt(l.IdleTimeout, idleWarning), func() { p.notify(i18n.NewMessage("are-you-still-there-press")) }),
			time.AfterFunc(l.IdleTimeout, func() { p.end(i18n.NewMessage("you-were-away-for-a")) }),
		},
		length: [2]*time.Timer{
			time.AfterFunc(warnAt(l.SessionTime, sessionWarning), func() { p.notify(i18n.NewMessage("this-session-will-soon-reach")) }),
			time.AfterFunc(l.SessionTime, func() {
				p.end(i18n.NewMessage("this-session-has-lasted-your"))
			}),
		},
	}
}

// typed restarts the idle time. It must be called for every input.
func (t *sessionTimer) typed() {
	t.idle[0].Reset(warnAt(t.limits.IdleTimeout, idleWarning))
	t.idle[1].Reset(t.limits.IdleTimeout)
}

func (t *sessionTimer) stop() {
	for _, t := range []*time.Timer{t.idle[0], t.idle[1], t.length[0], t.length[1]} {
		t.Stop()
	}
}
