package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/match"
	"broadside/tui/board"
	"broadside/words"
)

// lookTime is how long after the last key somebody is taken to be looking at
// the lobby. After that the featured match is for others.
const lookTime = 5 * time.Minute

// attend keeps the match that is seen in step with the screen. It is called
// after every message.
func (m *Model) attend() tea.Cmd {
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
		m.visit.Look(looks)
	}
	var cmds []tea.Cmd
	if looks && !m.dozing && !m.dozeDue {
		m.dozeDue = true
		m.doze.Reset(lookTime - time.Since(m.lastKey))
	}
	if m.sight != nil && (m.sight.place.ID() != id || m.sight.counted != counted) {
		m.sight.place.Leave()
		m.sight = nil
	}
	if m.sight == nil && id != "" {
		cmds = append(cmds, m.lookAt(id, counted))
	}
	return tea.Batch(cmds...)
}

// lookAt begins to watch a match.
func (m *Model) lookAt(id string, counted bool) tea.Cmd {
	open := m.hall.Glance
	if counted {
		open = m.hall.Watch
	}
	place, err := open(id)
	if err != nil {
		if counted {
			m.toLobby(m.sentence(err))
			return m.attend()
		}
		return nil // the lobby's next news will name another one
	}
	m.sight = newSight(m.hall, place, counted)
	return m.sight.await(m.ctx)
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
	head := func(about string) string { return pad(t.strong.Render(m.lang.Say("On now"))+"  "+about, width) }
	if m.dozing {
		return []string{head(t.faint.Render(m.lang.Say("paused until you press a key"))), ""}
	}
	s := m.sight
	if s == nil || s.seen.IsZero() {
		return []string{head(t.faint.Render(m.lang.Say("nothing yet"))), ""}
	}
	lines := []string{head(s.state(m.lang) + m.audience(s.place.ID()))}
	v := &s.last.View
	if !m.roomy(v.Rules.Size) {
		last := ""
		if n := len(s.course); n > 0 {
			last = s.course[n-1].said.In(m.lang)
		}
		first, second := v.Charts[match.Second].ShipsLeft(), v.Charts[match.First].ShipsLeft()
		return append(lines,
			pad("  "+s.names[match.First]+" – "+s.names[match.Second], width),
			"  "+m.lang.Say("%d – %d ships afloat", first, second),
			pad(t.faint.Render("  "+last), width), "")
	}
	if s.picture == nil || s.pictured != m.lang {
		s.picture, s.pictured = s.draw(m.lang), m.lang
	}
	return append(append(lines, s.picture...), "")
}

// draw draws the boards of a match small, side by side.
func (s *sight) draw(l words.Language) []string {
	t := looks()
	v := &s.last.View
	var blocks [2][]string
	for side := match.First; side <= match.Second; side++ {
		width := board.BareWidth(v.Rules.Size)
		blocks[side] = append([]string{pad(s.names[side], width)}, s.waters(side).Bare()...)
		c := &v.Charts[side.Other()]
		blocks[side] = append(blocks[side], pad(t.faint.Render(l.Say("%d of %d afloat", c.ShipsLeft(), len(v.Rules.Fleet))), width))
	}
	return beside(blocks[match.First], blocks[match.Second], smallGap)
}

// audience says how many watch a match, if anybody does.
func (m *Model) audience(id string) string {
	if r := m.running(id); r != nil {
		return m.watchers(r)
	}
	return ""
}

// running is a match of those that can be watched; nil if it is none.
func (m *Model) running(id string) *lobby.Running {
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
