package tui

import (
	"context"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/tui/format"
)

// introScreen is where who comes with a new key makes an account of it, by a
// name or by a link code of an account that exists; and where an account gets
// another name.
type introScreen struct {
	name   field
	code   field
	link   bool // the code is typed, not the name
	rename bool // the account is there already
	busy   bool // the disk is at work
}

// newIntroScreen suggests a name, if it will do.
func newIntroScreen(suggestion string, rename bool) *introScreen {
	s := &introScreen{
		rename: rename,
		name:   field{most: session.MaxName, fits: inName},
		code:   field{most: session.LinkLength + 2, fits: inCode, make: unicode.ToUpper}, // with two hyphens
	}
	suggestion = strings.Map(func(c rune) rune {
		if inName(c) {
			return c
		}
		return -1
	}, suggestion)
	if session.CheckName(suggestion) == nil {
		s.name.text = suggestion
	}
	return s
}

const nameRule i18n.Text = "3 to 16 letters, digits, - and _"

// inName and inCode tell what can be in a name and in a code.
func inName(c rune) bool {
	return c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c) || c == '-' || c == '_')
}
func inCode(c rune) bool {
	_, unfit := session.CodeLetters(string(c))
	return unfit == ""
}

func (s *introScreen) takesText() bool { return true }

func (s *introScreen) key(m *Model, key string) tea.Cmd {
	switch key {
	case "ctrl+c":
		return tea.Quit
	case "esc":
		switch {
		case s.rename:
			return m.toAccount("")
		case s.link:
			s.link = false
			return nil
		}
		m.toLobby(m.lang.Say("You play as a guest, unrated. Press a to make an account of your key."))
		return m.open(m.takeOpening())
	case "tab":
		if !s.rename {
			s.link = !s.link
		}
		return nil
	case "enter":
		return s.enter(m)
	}
	if s.busy {
		return nil
	}
	input, rule := &s.name, i18n.Text("Names have letters from a to z, digits, - and _, and begin with a letter.")
	if s.link {
		input, rule = &s.code, "Codes have letters and digits only."
	}
	if ok, unfit := input.key(key); !ok && unfit != "" {
		m.notice = m.lang.Say(rule)
	}
	return nil
}

// enter asks for what was typed.
func (s *introScreen) enter(m *Model) tea.Cmd {
	if s.busy {
		return nil
	}
	s.busy = true
	settings := m.settings
	name, code, link, rename := s.name.text, s.code.text, s.link, s.rename
	return m.later(s, func(ctx context.Context) func() tea.Cmd {
		var err error
		switch {
		case rename:
			err = m.own.Do(ctx, session.Rename{Name: name})
		case link:
			if err = m.own.Do(ctx, session.LinkKey{Code: code}); err == nil {
				settings, err = session.Ask(ctx, m.own, session.GetSettings{})
			}
		default:
			if err = m.own.Do(ctx, session.Register{Name: name}); err == nil {
				m.own.SaveSettings(settings)
			}
		}
		return func() tea.Cmd {
			s.busy = false
			if err != nil {
				m.notice = m.sentence(err)
				return nil
			}
			m.sync()
			m.wear(settings)
			m.newcomer = !rename && !link
			if rename {
				return m.toAccount(m.lang.Say("You are %s from now on.", m.me.Name))
			}
			return m.arrive(m.lang.Say("Welcome, %s. Your key is your account from now on.", m.me.Name))
		}
	})
}

func (s *introScreen) draw(m *Model) []string {
	t := looks()
	const width = 66
	line := func(text i18n.Text) string { return format.Pad(m.lang.Say(text), width) }
	heading := func(text i18n.Text) string { return format.Pad(t.strong.Render(m.lang.Say(text)), width) }
	if s.rename {
		return []string{
			"", heading("Another name"), "",
			line("Your rating and your matches stay with you. Others may take your"),
			line("old name as soon as you have given it up."), "",
			"    " + m.lang.Say("Name") + "  " + s.name.shown(), "",
			format.Pad(t.faint.Render(m.lang.Say(nameRule)+"."), width),
		}
	}
	if s.link {
		return []string{
			"", heading("Link this key to your account"), "",
			line("On the machine from which you have played before, press a in the"),
			line("lobby, then l. Type the code that it shows:"), "",
			"    " + m.lang.Say("Code") + "  " + s.code.shown(), "",
			format.Pad(t.faint.Render(m.lang.Say("It works once, within ten minutes.")), width),
		}
	}
	return []string{
		"", heading("Welcome to Broadside"), "",
		line("This key is new here. It is all you need for an account: it keeps"),
		line("your name, your rating and your matches, without a password."), "",
		line("What shall we call you?"), "",
		"    " + m.lang.Say("Name") + "  " + s.name.shown(), "",
		format.Pad(t.faint.Render(m.lang.Say(nameRule)+". "+m.lang.Say("It can be changed later.")), width), "",
		format.Pad(m.lang.Say("You have an account already? Press %s to link this key to it.", t.key.Render(m.lang.Say("tab"))), width),
	}
}

func (s *introScreen) hints(*Model) []i18n.Text {
	switch {
	case s.rename:
		return []i18n.Text{"enter", "take this name", "esc", "back"}
	case s.link:
		return []i18n.Text{"enter", "link", "esc", "back"}
	}
	return []i18n.Text{"enter", "take this name", "tab", "I have an account", "esc", "play as a guest", "ctrl+c", "leave"}
}
