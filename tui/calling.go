package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/format"
)

// typist is a screen on which letters may be text, or y and n have meanings of
// their own. A challenge cannot be answered there.
type typist interface{ takesText() bool }

// playing tells whether a match of this session runs.
func (m *Model) playing() bool { return m.game != nil && m.game.last.View.Phase != match.Over }

// called is the challenge that is shown; nil if there is none. In a match there
// is never one.
func (m *Model) called() *session.Challenge {
	if m.playing() {
		return nil
	}
	return m.call
}

func (m *Model) typing() bool {
	t, ok := m.screen.(typist)
	return m.saying != nil || ok && t.takesText()
}

// takeover is the request to take over the seat in the match that is played here;
// nil if there is none.
func (m *Model) takeover() *session.Takeover {
	if !m.playing() {
		return nil
	}
	return m.game.table.Takeover
}

// takeoverLine says who asks for the seat.
func (m *Model) takeoverLine(by *session.Takeover) string {
	t := looks()
	left := "  " + t.key.Render("n") + " " + m.lang.Say("refuse") + "  " + phrase.Clock(time.Until(by.Until))
	return format.FirstFitting(m.width,
		t.warn.Render(m.lang.Say("%s has entered your resume code and takes over your seat:", m.who(by.By)))+left,
		t.warn.Render(m.lang.Say("%s takes your seat:", m.who(by.By)))+left)
}

// refuse handles the key that refuses to hand over the seat.
func (m *Model) refuse(key string) bool {
	if key != "n" || m.takeover() == nil || m.typing() || m.leavingAsked() {
		return false
	}
	m.do(session.Refuse{})
	m.game.table, m.game.code = m.state.Seat, m.state.Seat.Code
	m.notice = m.lang.Say("You keep your seat.")
	if code := m.game.code; code != "" {
		m.notice = m.lang.Say("You keep your seat. Your new resume code: %s", code)
	}
	return true
}

// answer handles the keys that answer a challenge.
func (m *Model) answer(key string) (tea.Cmd, bool) {
	c := m.called()
	if c == nil || m.typing() || key != "y" && key != "n" {
		return nil, false
	}
	if key == "n" {
		m.do(session.Decline{Offer: c.Offer})
	} else {
		m.do(session.Accept{Offer: c.Offer})
	}
	m.call = nil // the lobby will say so as well
	return nil, true
}

// callLine is what needs an answer: a challenge, outside a match; a request to
// take over the seat, in one; or the offer to continue a match.
func (m *Model) callLine() string {
	c := m.called()
	switch {
	case m.takeover() != nil:
		return m.takeoverLine(m.takeover())
	case c == nil:
		return m.offerLine()
	}
	t := looks()
	how := t.key.Render("y") + " " + m.lang.Say("accept") + "  " + t.key.Render("n") + " " + m.lang.Say("decline") + "  "
	if m.typing() {
		how = m.lang.Say("%s to answer", t.key.Render(m.lang.Say("esc"))) + "  "
	}
	who := t.warn.Render(m.lang.Say("%s challenges you:", m.who(c.From))) + " " + m.offerTerms(c.Rules, c.Stakes)
	left := how + phrase.Clock(time.Until(c.Until))
	if format.Width(who)+2+format.Width(left) > m.width { // what can be done matters most
		return left + "  " + who
	}
	return who + "  " + left
}
