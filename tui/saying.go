package tui

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/tui/format"
)

// saying is a line that is being typed to be said. While it is there, all keys
// go to it.
type saying struct {
	talk *talk
	text []rune
}

// begin is an empty line, or the one that was refused last.
func (t *talk) begin() *saying {
	s := &saying{talk: t}
	s.add(t.again)
	t.again = ""
	return s
}

// add takes typed or pasted text, as far as there is room.
func (s *saying) add(text string) {
	for i, r := range text {
		if i > 64*session.MaxLine || len(s.text) == session.MaxLine {
			return
		}
		if r == '\n' || r == '\r' || r == '\t' {
			r = ' '
		}
		if format.Clean(string(r), 2) != "" {
			s.text = append(s.text, r)
		}
	}
}

func (s *saying) key(m *Model, msg tea.KeyPressMsg) tea.Cmd {
	screen, inLobby := m.screen.(*talkScreen)
	switch key := msg.String(); key {
	case "enter":
		text := string(s.text)
		s.text = nil
		if !inLobby {
			m.saying = nil
		}
		if strings.TrimSpace(text) == "" {
			return nil
		}
		return m.say(s.talk, text)
	case "esc":
		m.saying = nil
		if inLobby {
			m.toLobby("")
		}
	case "ctrl+c":
		m.saying = nil
		if inLobby {
			return tea.Quit
		}
	case "backspace":
		s.text = s.text[:max(0, len(s.text)-1)]
	case "tab":
		if who := s.whom(m); who != nil {
			return m.muteNext(*who)
		}
		m.notice = m.lang.Say("Nobody else has said anything here.")
	case "up", "down":
		if inLobby {
			screen.move(m, key)
		}
	default:
		if n := strings.Index("12345", msg.Text); len(msg.Text) == 1 && len(s.text) == 0 && n >= 0 {
			if !inLobby {
				m.saying = nil
			}
			line := session.Say{Room: s.talk.room, Text: m.lang.Say(quick[n])}
			return m.beside(func(ctx context.Context) (string, error) { return "", m.own.Do(ctx, line) })
		}
		s.add(msg.Text)
	}
	return nil
}

// whom is who would be muted: who said the line pointed at, the other side, or
// who else has spoken last.
func (s *saying) whom(m *Model) *session.Player {
	if screen, ok := m.screen.(*talkScreen); ok {
		if l := screen.pointed(m); l != nil && l.From.ID != m.me.ID {
			return &l.From
		}
		if screen.at != 0 {
			return nil
		}
	}
	if s.talk.other != nil {
		return s.talk.other
	}
	for i := len(s.talk.lines) - 1; i >= 0; i-- {
		if l := &s.talk.lines[i]; l.From.ID != m.me.ID {
			return &l.From
		}
	}
	if m.mutedLast.ID != "" { // what they said is out of sight
		return &m.mutedLast
	}
	return nil
}

// say says a line, beside the model: it may wait for the disk. A line that is
// refused is kept to be said again, and is back at once if nothing else has
// been typed.
func (m *Model) say(t *talk, text string) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(m.ctx, laterTime)
		defer cancel()
		err := m.own.Do(ctx, session.Say{Room: t.room, Text: text})
		return broughtMsg{func(m *Model) tea.Cmd {
			if err == nil {
				return nil
			}
			m.notice = m.sentence(err)
			if s := m.saying; s == nil || s.talk != t {
				t.again = text
			} else if len(s.text) == 0 {
				s.add(text)
			}
			return nil
		}}
	}
}

// shown is the line as it is typed, or its end, in at most width cells.
func (s *saying) shown(l i18n.Language, width int) string {
	prompt, text := l.Say("Say: "), s.text
	for len(text) > 0 && ansi.StringWidth(string(text)) > width-1-ansi.StringWidth(prompt) {
		text = text[1:]
	}
	return looks().faint.Render(prompt) + looks().strong.Render(string(text)) + looks().key.Render("_")
}

func (s *saying) hints() []i18n.Text {
	if len(s.text) > 0 {
		return []i18n.Text{"enter", "say it", "backspace", "take back", "tab", "mute", "esc", "close"}
	}
	var hints []i18n.Text
	for i, q := range quick {
		hints = append(hints, digits[i], q)
	}
	return append(hints, "tab", "mute", "esc", "close")
}
