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
			time.AfterFunc(warnAt(l.IdleTimeout, idleWarning), func() { p.notify(i18n.NewMessage("Are you still there? Press a key, or this session will end soon.")) }),
			time.AfterFunc(l.IdleTimeout, func() { p.end(i18n.NewMessage("You were inactive for too long. Come back any time.")) }),
		},
		length: [2]*time.Timer{
			time.AfterFunc(warnAt(l.SessionTime, sessionWarning), func() {
				p.notify(i18n.NewMessage("This session will soon reach its time limit. Reconnect to continue."))
			}),
			time.AfterFunc(l.SessionTime, func() {
				p.end(i18n.NewMessage("This session has reached its time limit. Your match is safe: reconnect to continue."))
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
