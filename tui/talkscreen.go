package tui

import (
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/tui/format"
)

// talkScreen is the lobby's talk, with a line to say something.
type talkScreen struct {
	at int // the number of the line pointed at; 0: none
}

// toTalk goes to the lobby's talk.
func (m *Model) toTalk() {
	m.screen = &talkScreen{}
	m.saying = m.hallTalk.begin()
}

// key is never called: all keys go to the line that is typed.
func (s *talkScreen) key(*Model, string) tea.Cmd { return nil }

// pointed is the line pointed at; nil if there is none.
func (s *talkScreen) pointed(m *Model) *session.Line {
	for i := range m.hallTalk.lines {
		if l := &m.hallTalk.lines[i]; l.Number == s.at {
			return l
		}
	}
	return nil
}

// move points at the line before or after, as far as they are on the screen.
func (s *talkScreen) move(m *Model, key string) {
	lines := s.visible(m)
	if len(lines) == 0 {
		return
	}
	at := len(lines)
	for i, l := range lines {
		if l.Number == s.at {
			at = i
		}
	}
	if key == "up" {
		at = max(0, at-1)
	} else {
		at++
	}
	s.at = 0
	if at < len(lines) {
		s.at = lines[at].Number
	}
}

// visible are the lines that there is room for.
func (s *talkScreen) visible(m *Model) []session.Line {
	lines := m.hallTalk.lines
	return lines[max(0, len(lines)-(m.height-9)):]
}

func (s *talkScreen) draw(m *Model) []string {
	t := looks()
	width := min(m.width, 80) - 4
	lines := []string{format.Pad(t.strong.Render(m.lang.Say("Talk in the lobby")), width), ""}
	all := s.visible(m)
	if len(all) == 0 {
		lines = append(lines, t.faint.Render("  "+m.lang.Say("Nobody has said anything yet.")))
	}
	for _, l := range all {
		mark := "  "
		if l.Number == s.at {
			mark = "▸ "
		}
		lines = append(lines, format.Clean(mark+m.spoken(l), width))
	}
	return append(lines, "", t.faint.Render("  "+m.lang.Say("↑↓ point at a line; tab mutes who said it, and again for good, and back")))
}

func (s *talkScreen) hints(*Model) []i18n.Text { return nil }
