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

// noticeState records when the current notice appeared and how it ends. A zero time means
// not yet set.
type noticeState struct {
	at    time.Time
	about subject
	// stays keeps the notice until the next key.
	stays bool
}

// subject identifies what a notice is about. When it changes, the notice may be
// obsolete.
type subject struct {
	match *session.Match
	// detail comes from the screen and is comparable. It is nil if unknown.
	detail any
}

// clearNotice removes the notice after a player action.
func (m *Model) clearNotice() {
	m.env.Notice, m.noticeState = "", noticeState{}
	m.env.LastKeyTime, m.env.Idle = time.Now(), false
}

// updateNotice sets the times of a notice that differs from before. It drops a notice
// that has expired or whose subject has changed.
func (m *Model) updateNotice(before string, stays bool) {
	if m.env.Notice == "" {
		m.noticeState = noticeState{}
		return
	}
	now, about := time.Now(), subject{match: m.match}
	if top, ok := m.currentScreen().(widget.Subject); ok {
		about.detail = top.Subject()
	}
	if m.noticeState.about.match == about.match && m.noticeState.about.detail == nil {
		m.noticeState.about = about
	}
	switch {
	case m.env.Notice != before || m.noticeState.at.IsZero():
		m.noticeState = noticeState{now, about, stays}
	case !m.noticeState.stays && (m.noticeState.about != about || now.Sub(m.noticeState.at) >= noticeTime):
		m.env.Notice, m.noticeState = "", noticeState{}
	}
}

// noticeTimeLeft returns the time until the notice expires, if it does.
func (m *Model) noticeTimeLeft(now time.Time) time.Duration {
	if m.env.Notice == "" || m.noticeState.stays || m.noticeState.at.IsZero() {
		return 0
	}
	return noticeTime - now.Sub(m.noticeState.at)
}
