package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/tui/format"
)

// roomScreen is where people type the code of a private room or of a seat, or
// open a room.
type roomScreen struct {
	typed string // letters of a code
	wrong bool   // something else was typed since: enter does not open a room
}

func (s *roomScreen) takesText() bool { return true }

func (s *roomScreen) key(m *Model, key string) tea.Cmd {
	switch key {
	case "enter":
		return s.enter(m)
	case "backspace":
		if s.typed != "" {
			s.typed = s.typed[:len(s.typed)-1]
		}
	case "esc":
		m.toLobby("")
	case "ctrl+c":
		return tea.Quit
	default:
		if letters := []rune(key); len(letters) == 1 {
			s.add(m, key)
		}
	}
	return nil
}

// enter uses the code that was typed, or opens a room if none was.
func (s *roomScreen) enter(m *Model) tea.Cmd {
	switch {
	case s.typed == "" && s.wrong:
		s.wrong = false
		m.notice = m.lang.Say("No code was typed. Type one, or press enter again to open a room.")
		return nil
	case s.typed == "":
		return m.seek(session.OpenPrivate{Rules: m.settings.Rules, Stakes: m.settings.Stakes()})
	case len(s.typed) > session.CodeLength:
		return m.seek(session.ResumeSeat{Code: s.typed})
	}
	return m.play(session.JoinPrivate{Code: s.typed})
}

// add takes the characters of a code that were typed or pasted, and reports the
// first that is in no code.
func (s *roomScreen) add(m *Model, text string) {
	letters, unfit := session.CodeLetters(text)
	s.typed += letters[:min(len(letters), session.ResumeLength-len(s.typed))]
	if s.wrong = unfit != ""; s.wrong {
		m.notice = m.lang.Say("No code contains %s: codes have letters and digits only.", format.Clean(unfit, 1))
	}
}

func (s *roomScreen) draw(m *Model) []string {
	t := looks()
	length := session.CodeLength
	if len(s.typed) > length {
		length = session.ResumeLength
	}
	code := session.GroupCode(s.typed+strings.Repeat("_", length-len(s.typed)), length)
	return format.Middle(m.width,
		"",
		t.strong.Render(m.lang.Say("Private room")),
		"",
		m.lang.Say("Do you have a room code? Type it and press enter."),
		"",
		t.key.Render(strings.Join(strings.Split(code, ""), " ")),
		"",
		m.lang.Say("Press enter without a code to open a room of your own:"),
		t.faint.Render(m.offerTerms(m.settings.Rules, m.settings.Stakes())),
		"",
		m.lang.Say("Did you leave a match as a guest?"),
		m.lang.Say("Type its resume code here to continue."),
	)
}

func (s *roomScreen) hints(*Model) []i18n.Text {
	if s.typed == "" {
		return []i18n.Text{"A–Z 0–9", "type a code", "enter", "open a room", "?", "help", "esc", "back"}
	}
	enter := i18n.Text("join the room")
	if len(s.typed) > session.CodeLength {
		enter = "continue the match"
	}
	return []i18n.Text{"enter", enter, "backspace", "take back", "?", "help", "esc", "back"}
}
