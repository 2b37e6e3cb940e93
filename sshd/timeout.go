package sshd

import (
	"time"

	"broadside/internal/i18n"
)

// How long before a session ends the user is warned.
const (
	idleWarning    = time.Minute
	sessionWarning = 5 * time.Minute
)

// warningTime returns when to warn of an event that happens after a time: before the event by the given time,
// or by half the remaining time if that is shorter.
func warningTime(after, before time.Duration) time.Duration { return after - min(before, after/2) }

// sessionTimer ends a session that is idle or lasts too long, after a warning.
type sessionTimer struct {
	limits *Limits
	// Each pair has a timer for the warning and one for the end.
	idle    [2]*time.Timer
	session [2]*time.Timer
}

func newSessionTimer(p frontend, l *Limits) *sessionTimer {
	return &sessionTimer{
		limits: l,
		idle: [2]*time.Timer{
			time.AfterFunc(warningTime(l.IdleTimeout, idleWarning), func() {
				p.notify(i18n.NewMessage("Are you still there? Press a key, or this session will end soon."))
			}),
			time.AfterFunc(l.IdleTimeout, func() { p.end(i18n.NewMessage("You were inactive for too long. Come back any time.")) }),
		},
		session: [2]*time.Timer{
			time.AfterFunc(warningTime(l.SessionTime, sessionWarning), func() {
				p.notify(i18n.NewMessage("This session will soon reach its time limit. Reconnect to continue."))
			}),
			time.AfterFunc(l.SessionTime, func() {
				p.end(i18n.NewMessage("This session has reached its time limit. Your match is safe: reconnect to continue."))
			}),
		},
	}
}

// resetIdle restarts the idle time. It must be called for every input.
func (t *sessionTimer) resetIdle() {
	t.idle[0].Reset(warningTime(t.limits.IdleTimeout, idleWarning))
	t.idle[1].Reset(t.limits.IdleTimeout)
}

func (t *sessionTimer) stop() {
	for _, t := range []*time.Timer{t.idle[0], t.idle[1], t.session[0], t.session[1]} {
		t.Stop()
	}
}
