package tui

import (
	"time"

	"broadside/lobby/session"
	"broadside/tui/widget"
)

// noticeTime is the maximum time a notice is shown. announceTime is how long an
// operator's announcement is shown, unless another notice replaces it.
const (
	noticeTime   = 15 * time.Second
	announceTime = time.Minute
)

// noticed records when the current notice appeared and how it ends. A zero time means
// not yet set.
type noticed struct {
	at    time.Time
	about subject
	stays bool // until the next key
}

// subject identifies what a notice is about. When it changes, the notice may be
// obsolete.
type subject struct {
	match  *session.Match
	detail any // from the screen, comparable; nil if unknown
}

// endNotice removes the notice after a player action.
func (m *Model) endNotice() {
	m.env.Notice, m.noticed = "", noticed{}
	m.env.LastKey, m.env.Idle = time.Now(), false
}

// updateNotice sets the times of a notice that differs from before. It drops a notice
// that has expired or whose subject has changed.
func (m *Model) updateNotice(before string, stays bool) {
	if m.env.Notice == "" {
		m.noticed = noticed{}
		return
	}
	now, about := time.Now(), subject{match: m.match}
	if top, ok := m.top().(widget.Subject); ok {
		about.detail = top.Subject()
	}
	if m.noticed.about.match == about.match && m.noticed.about.detail == nil {
		m.noticed.about = about
	}
	switch {
	case m.env.Notice != before || m.noticed.at.IsZero():
		m.noticed = noticed{now, about, stays}
	case !m.noticed.stays && (m.noticed.about != about || now.Sub(m.noticed.at) >= noticeTime):
		m.env.Notice, m.noticed = "", noticed{}
	}
}

// noticeLeft returns the time until the notice expires, if it does.
func (m *Model) noticeLeft(now time.Time) time.Duration {
	if m.env.Notice == "" || m.noticed.stays || m.noticed.at.IsZero() {
		return 0
	}
	return noticeTime - now.Sub(m.noticed.at)
}
