package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/speech"
	"broadside/words"
)

// roomScreen is where the code of a private room is typed, or a room opened.
type roomScreen struct{ typed string }

func (s *roomScreen) takesText() bool { return true }

func (s *roomScreen) key(m *Model, key string) tea.Cmd {
	switch key {
	case "enter":
		if s.typed == "" {
			return m.wait(m.hall.OpenRoom(m.me, m.settings.Rules, m.settings.Stakes()))
		}
		if len(s.typed) > lobby.CodeLength {
			return m.seat(m.hall.Resume(m.me, s.typed))
		}
		return m.seat(m.hall.Join(m.me, s.typed))
	case "backspace":
		if s.typed != "" {
			s.typed = s.typed[:len(s.typed)-1]
		}
	case "esc":
		m.toLobby("")
	case "ctrl+c":
		return tea.Quit
	default:
		s.add(m, key)
	}
	return nil
}

// add takes what was typed as the next letter or digit.
func (s *roomScreen) add(m *Model, key string) {
	letter := strings.ToUpper(key)
	if len(letter) != 1 || len(s.typed) == lobby.ResumeLength {
		return
	}
	if !lobby.InCode(letter[0]) {
		m.notice = m.lang.Say("No code has a %s: codes have nothing that looks like something else.", letter)
		return
	}
	s.typed += letter
}

func (s *roomScreen) draw(m *Model) []string {
	t := looks()
	code := s.typed + strings.Repeat("_", max(0, lobby.CodeLength-len(s.typed)))
	return m.middle(
		"",
		t.strong.Render(m.lang.Say("Private room")),
		"",
		m.lang.Say("Somebody has told you a code? Type it and press enter."),
		"",
		t.key.Render(strings.Join(strings.Split(code, ""), " ")),
		"",
		m.lang.Say("Press enter without a code to open a room of your own:"),
		t.faint.Render(speech.Terms(m.lang, m.settings.Rules)),
		"",
		m.lang.Say("Back to a match that you have left as a guest?"),
		m.lang.Say("Type its resume code here."),
	)
}

func (s *roomScreen) hints(*Model) []words.Text {
	if s.typed == "" {
		return []words.Text{"A–Z 3–9", "type a code", "enter", "open a room", "?", "help", "esc", "back"}
	}
	return []words.Text{"enter", "join the room", "backspace", "take back", "?", "help", "esc", "back"}
}
