package tui

import (
	"time"

	"broadside/internal/session"
)

// noticeTime is how long a notice is shown at most, and announceTime how long an
// announcement of an operator is, unless there is something else to show.
const (
	noticeTime   = 15 * time.Second
	announceTime = time.Minute
)

// noticed is when the current notice was first shown, and when it ends. A zero time
// means that it has not been dated yet.
type noticed struct {
	at    time.Time
	about subject
	stays bool // until the next key
}

// subject is what a notice is about. Once it changes, the notice may no longer be true.
type subject struct {
	match  *session.Match
	detail any // of the screen, comparable; nil if nothing is known yet
}

// endNotice ends the notice, since the player has done something.
func (m *Model) endNotice() {
	m.env.Notice, m.noticed = "", noticed{}
	m.lastKey, m.env.Idle = time.Now(), false
}

// updateNotice dates a notice that is new since before, and drops one that is old or
// about another subject. It reports whether the notice is new.
func (m *Model) updateNotice(before string, stays bool) bool {
	if m.env.Notice == "" {
		m.noticed = noticed{}
		return false
	}
	now, about := time.Now(), m.subject()
	if m.noticed.about.match == about.match && m.noticed.about.detail == nil {
		m.noticed.about = about
	}
	switch {
	case m.env.Notice != before || m.noticed.at.IsZero():
		m.noticed = noticed{now, about, stays}
		return true
	case !m.noticed.stays && (m.noticed.about != about || now.Sub(m.noticed.at) >= noticeTime):
		m.env.Notice, m.noticed, m.frame.same = "", noticed{}, false
	}
	return false
}

// noticeLeft returns how much longer the notice is shown, if it expires.
func (m *Model) noticeLeft(now time.Time) time.Duration {
	if m.env.Notice == "" || m.noticed.stays || m.noticed.at.IsZero() {
		return 0
	}
	return noticeTime - now.Sub(m.noticed.at)
}
