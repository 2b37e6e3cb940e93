package tui

import (
	"time"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/format"
)

// lookTime is how long after the last key somebody is taken to be looking at
// the lobby. After that the featured match is for others.
const lookTime = 5 * time.Minute

// attend keeps the match that is seen in step with the screen. It is called
// after every message.
func (m *Model) attend() {
	id, counted := "", false
	looks := false
	switch s := m.screen.(type) {
	case *lobbyScreen, *watchList:
		looks = m.fits() && !m.dozing
		if looks {
			id = m.news.Featured.ID
		}
	case *watchScreen:
		id, counted = s.id, true
		// A spectator needs no keys, and may wait for the next match.
		looks = !m.dozing || m.sight == nil || !m.sight.over()
	}
	if looks != m.looks {
		m.looks = looks
		m.do(session.ShowFeatured{On: looks})
	}
	if m.sight != nil && (m.sight.id != id || m.sight.counted != counted) {
		m.sight = nil
		m.do(session.Unwatch{})
	}
	if m.sight == nil && id != "" {
		m.lookAt(id, counted)
	}
}

// lookAt begins to watch a match.
func (m *Model) lookAt(id string, counted bool) {
	var a session.Action = session.Preview{ID: id}
	if counted {
		a = session.Watch{ID: id}
	}
	err := m.own.Do(m.ctx, a)
	m.read()
	switch {
	case err == nil:
		m.sight = newSight(m.state.Watching, counted)
	case counted:
		m.toLobby(m.sentence(err))
		m.attend()
	} // else the lobby's next snapshot names another one
}

// The sizes of the featured match in the lobby.
const (
	textWidth  = 38 // of what stands beside the menu
	smallGap   = 3  // between two small boards
	smallWidth = 100
	smallLines = 30
)

// roomy tells whether two small boards of the given size fit beside the menu.
func (m *Model) roomy(size int) bool {
	return m.width >= smallWidth && m.height >= smallLines && menuWidth+2+smallPairWidth(size) <= m.width &&
		size+4 <= m.height/2
}

func smallPairWidth(size int) int { return 2*board.BareWidth(size) + smallGap }

// companyWidth is the width of what stands beside the menu. It depends on the
// terminal only, so that nothing moves when the featured match does.
func (m *Model) companyWidth() int {
	if m.width >= smallWidth && m.height >= smallLines {
		return max(textWidth, smallPairWidth(match.Classic().Size))
	}
	return textWidth
}

// featured is the featured match as the lobby shows it.
func (m *Model) featured(width int) []string {
	t := looks()
	head := func(about string) string { return format.Pad(t.strong.Render(m.lang.Say("On now"))+"  "+about, width) }
	if m.dozing {
		return []string{head(t.faint.Render(m.lang.Say("paused until you press a key"))), ""}
	}
	s := m.sight
	if s == nil || s.seen.IsZero() {
		return []string{head(t.faint.Render(m.lang.Say("nothing yet"))), ""}
	}
	lines := []string{head(s.state(m.lang) + m.audience(s.id))}
	v := &s.last.View
	if !m.roomy(v.Rules.Size) {
		last := ""
		if n := len(s.course); n > 0 {
			last = s.course[n-1].said.In(m.lang)
		}
		first, second := v.Charts[match.Second].ShipsLeft(), v.Charts[match.First].ShipsLeft()
		return append(lines,
			format.Pad("  "+s.names[match.First]+" – "+s.names[match.Second], width),
			"  "+m.lang.Say("%d – %d ships afloat", first, second),
			format.Pad(t.faint.Render("  "+last), width), "")
	}
	if s.picture == nil || s.pictured != m.lang {
		s.picture, s.pictured = s.draw(m.lang), m.lang
	}
	return append(append(lines, s.picture...), "")
}

// draw draws the boards of a match small, side by side.
func (s *sight) draw(l i18n.Language) []string {
	t := looks()
	v := &s.last.View
	var blocks [2][]string
	for side := match.First; side <= match.Second; side++ {
		width := board.BareWidth(v.Rules.Size)
		blocks[side] = append([]string{format.Pad(s.names[side], width)}, s.waters(side).Bare()...)
		c := &v.Charts[side.Other()]
		blocks[side] = append(blocks[side], format.Pad(t.faint.Render(l.Say("%d of %d afloat", c.ShipsLeft(), len(v.Rules.Fleet))), width))
	}
	return format.Beside(blocks[match.First], blocks[match.Second], smallGap)
}

// audience says how many watch a match, if anybody does.
func (m *Model) audience(id string) string {
	if r := m.running(id); r != nil {
		return m.watchers(r)
	}
	return ""
}

// running is a match of those that can be watched; nil if it is none.
func (m *Model) running(id string) *session.Running {
	if m.news.Featured.ID == id {
		return &m.news.Featured
	}
	for i := range m.news.Running {
		if r := &m.news.Running[i]; r.ID == id {
			return r
		}
	}
	return nil
}
