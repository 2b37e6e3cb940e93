package tui

import (
	"context"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
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
		name:   field{most: lobby.MaxName, fits: inName},
		code:   field{most: lobby.LinkLength, fits: inCode, make: unicode.ToUpper},
	}
	suggestion = strings.Map(func(c rune) rune {
		if inName(c) {
			return c
		}
		return -1
	}, suggestion)
	if lobby.CheckName(suggestion) == nil {
		s.name.text = suggestion
	}
	return s
}

const nameRule = "3 to 16 letters, digits, - and _"

// inName and inCode tell what can be in a name and in a code.
func inName(c rune) bool {
	return c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c) || c == '-' || c == '_')
}
func inCode(c rune) bool { return c < unicode.MaxASCII && lobby.InCode(byte(c)) }

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
		m.toLobby("You play as a guest, unrated. Press a to make an account of your key.")
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
	input, rule := &s.name, "Names have letters from a to z, digits, - and _, and begin with a letter."
	if s.link {
		input, rule = &s.code, "No code has that letter: codes have nothing that looks like something else."
	}
	if ok, unfit := input.key(key); !ok && unfit != "" {
		m.notice = rule
	}
	return nil
}

// enter asks for what was typed.
func (s *introScreen) enter(m *Model) tea.Cmd {
	if s.busy {
		return nil
	}
	s.busy = true
	visit, fingerprint, label := m.visit, m.fingerprint, m.label
	name, code, link, rename := s.name.text, s.code.text, s.link, s.rename
	return m.later(s, func(ctx context.Context) func() tea.Cmd {
		var p lobby.Player
		var err error
		switch {
		case rename:
			p, err = visit.Rename(ctx, name)
		case link:
			p, err = visit.Link(ctx, code, fingerprint, label)
		default:
			p, err = visit.Register(ctx, name, fingerprint, label)
		}
		return func() tea.Cmd {
			s.busy = false
			if err != nil {
				m.notice = sentence(err)
				return nil
			}
			m.me = p
			if rename {
				return m.toAccount("You are " + p.Name + " from now on.")
			}
			return m.arrive("Welcome, " + p.Name + ". Your key is your account from now on.")
		}
	})
}

func (s *introScreen) draw(*Model) []string {
	t := looks()
	const width = 66
	line := func(text string) string { return pad(text, width) }
	if s.rename {
		return []string{
			"", line(t.strong.Render("Another name")), "",
			line("Your rating and your matches stay with you. Others may take your"),
			line("old name as soon as you have given it up."), "",
			"    Name  " + s.name.shown(), "",
			line(t.faint.Render(nameRule + ".")),
		}
	}
	if s.link {
		return []string{
			"", line(t.strong.Render("Link this key to your account")), "",
			line("On the machine from which you have played before, press a in the"),
			line("lobby, then l. Type the code that it shows:"), "",
			"    Code  " + s.code.shown(), "",
			line(t.faint.Render("It works once, within ten minutes.")),
		}
	}
	return []string{
		"", line(t.strong.Render("Welcome to Broadside")), "",
		line("This key is new here. It is all you need for an account: it keeps"),
		line("your name, your rating and your matches, without a password."), "",
		line("What shall we call you?"), "",
		"    Name  " + s.name.shown(), "",
		line(t.faint.Render(nameRule + ". It can be changed later.")), "",
		line("You have an account already? Press " + t.key.Render("tab") + " to link this key to it."),
	}
}

func (s *introScreen) hints(*Model) []string {
	switch {
	case s.rename:
		return []string{"enter", "take this name", "esc", "back"}
	case s.link:
		return []string{"enter", "link", "esc", "back"}
	}
	return []string{"enter", "take this name", "tab", "I have an account", "esc", "play as a guest", "ctrl+c", "leave"}
}
