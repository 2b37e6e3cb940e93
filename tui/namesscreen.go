package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/tui/format"
)

// namesScreen asks the two people of a hot seat for their names.
type namesScreen struct {
	names [2]string
	at    int // the one being typed
}

func newNamesScreen(m *Model) *namesScreen {
	return &namesScreen{names: [2]string{format.Clean(m.me.Name, session.MaxName), ""}}
}

func (s *namesScreen) takesText() bool { return true }

func (s *namesScreen) key(m *Model, key string) tea.Cmd {
	name := &s.names[s.at]
	switch key {
	case "enter":
		if s.at == 0 && *name != "" {
			s.at = 1
			return nil
		}
		return m.play(session.HotSeat{Names: s.names, Rules: m.settings.Rules})
	case "tab", "up", "down":
		s.at = 1 - s.at
	case "backspace":
		if r := []rune(*name); len(r) > 0 {
			*name = string(r[:len(r)-1])
		}
	case "esc":
		m.toLobby("")
	case "ctrl+c":
		return tea.Quit
	default:
		if len([]rune(key)) == 1 && format.Clean(key, 2) == key {
			*name = format.Clean(*name+key, 2*session.MaxName)
			if r := []rune(*name); len(r) > session.MaxName {
				*name = string(r[:session.MaxName])
				m.notice = m.lang.Say("That is as long as a name can be.")
			}
		}
	}
	return nil
}

func (s *namesScreen) draw(m *Model) []string {
	t := looks()
	lines := format.Middle(m.width,
		"",
		t.strong.Render(m.lang.Say("Hot seat")),
		"",
		m.lang.Say("Two people play at this terminal and hand it over in turns."),
		t.faint.Render(phrase.Terms(m.lang, m.settings.Rules)),
		"",
	)
	for i, question := range []i18n.Text{"Who is the first, who defends?", "Who is the second, who shoots first?"} {
		mark, caret := "  ", ""
		if i == s.at {
			mark, caret = "▸ ", "_"
		}
		lines = append(lines, mark+format.Pad(m.lang.Say(question), 40)+t.key.Render(s.names[i]+caret))
	}
	lines[0] = strings.Repeat(" ", min(60, m.width))
	return lines
}

func (s *namesScreen) hints(*Model) []i18n.Text {
	return []i18n.Text{"enter", "next", "tab", "the other name", "?", "help", "esc", "back"}
}
