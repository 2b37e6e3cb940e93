package screen

import (
	"context"
	"strings"
	"unicode"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/internal/term/look"
	"broadside/tui/component"
	"broadside/tui/format"
)

// intro is where a player with a new key creates an account, by a name or by a link
// code of an existing account; and where an account gets another name.
type intro struct {
	*component.Env
	name   *component.Field
	code   *component.Field
	link   bool // the code is typed, not the name
	rename bool // the account exists
	busy   bool // an answer is awaited
}

// NewIntro returns the screen where a player with a new key creates an account. It
// suggests the name that the SSH client sent, if it is valid.
func NewIntro(env *component.Env) component.Screen {
	return newIntro(env, env.Session.Client().Name, false)
}

// NewRename returns the screen where an account gets another name.
func NewRename(env *component.Env) component.Screen { return newIntro(env, env.State.Me.Name, true) }

func newIntro(env *component.Env, suggestion string, rename bool) *intro {
	s := &intro{
		Env: env, rename: rename, name: component.NewField("", session.MaxName, nameChar),
		code: component.NewField("", session.LinkLength+2, codeChar), // with two hyphens
	}
	suggestion = strings.Map(func(c rune) rune {
		if nameChar(c) == 0 {
			return -1
		}
		return c
	}, suggestion)
	if session.CheckName(suggestion) == nil {
		s.name.Set(suggestion)
	}
	return s
}

const nameRule i18n.Text = "3 to 16 letters, digits, - and _"

// nameChar and codeChar return what a typed character becomes in a name and in a
// code; 0 if it cannot be in one.
func nameChar(c rune) rune {
	if c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c) || c == '-' || c == '_') {
		return c
	}
	return 0
}

func codeChar(c rune) rune {
	c = unicode.ToUpper(c)
	if _, unfit := session.CodeLetters(string(c)); unfit != "" {
		return 0
	}
	return c
}

var introKeys = struct{ accept, link, account, back, guest key.Binding }{
	accept: component.Bind("enter", "take this name", "enter"), link: component.Bind("enter", "link", "enter"),
	account: component.Bind("tab", "I have an account", "tab"), back: back(""), guest: component.Bind("esc", "play as a guest", "esc"),
}

// Typing implements [component.Typist].
func (s *intro) Typing() component.Typing { return component.SomeText }

func (s *intro) Update(msg tea.Msg) tea.Cmd {
	if msg, ok := msg.(tea.KeyPressMsg); ok {
		switch {
		case key.Matches(msg, introKeys.back):
			return s.leave()
		case key.Matches(msg, introKeys.account):
			s.link = !s.link && !s.rename
		case key.Matches(msg, introKeys.accept):
			return s.enter()
		default:
			s.typed(msg)
		}
	}
	return nil
}

// Paste implements [component.Paster].
func (s *intro) Paste(text string) bool {
	s.typed(tea.PasteMsg{Content: text})
	return true
}

// typed passes a message on to the field that is being typed into.
func (s *intro) typed(msg tea.Msg) {
	if s.busy {
		return
	}
	field, rule := s.name, i18n.Text("Names have letters from a to z, digits, - and _, and begin with a letter.")
	if s.link {
		field, rule = s.code, "Codes have letters and digits only."
	}
	if t := field.Update(msg); t.Rejected != "" {
		s.Notice = s.Lang.Say(rule)
	}
}

func (s *intro) leave() tea.Cmd {
	switch {
	case s.rename:
		return s.Replace(NewAccount(s.Env))
	case s.link:
		s.link = false
		return nil
	}
	return s.Begin(s.Lang.Say("You play as a guest, unrated. Press a to make an account of your key."))
}

// enter submits what was typed.
func (s *intro) enter() tea.Cmd {
	if s.busy {
		return nil
	}
	s.busy = true
	settings := s.Settings
	name, code, link, rename := s.name.Text(), s.code.Text(), s.link, s.rename
	return s.Later(s, func(ctx context.Context) func() tea.Cmd {
		var err error
		switch {
		case rename:
			err = s.Session.Do(ctx, session.Rename{Name: name})
		case link:
			if err = s.Session.Do(ctx, session.LinkKey{Code: code}); err == nil {
				settings, err = session.Ask(ctx, s.Session, session.GetSettings{})
			}
		default:
			if err = s.Session.Do(ctx, session.Register{Name: name}); err == nil {
				s.Session.SaveSettings(settings)
			}
		}
		return func() tea.Cmd {
			s.busy = false
			if err != nil {
				s.Notice = s.Sentence(err)
				return nil
			}
			s.Do(session.DoNotDisturb{On: settings.DoNotDisturb})
			s.ApplySettings(settings)
			s.Newcomer = !rename && !link
			if rename {
				cmd := s.Replace(NewAccount(s.Env))
				s.Notice = s.Lang.Say("You are %s from now on.", s.State.Me.Name)
				return cmd
			}
			return s.Begin(s.Lang.Say("Welcome, %s. Your key is your account from now on.", s.State.Me.Name))
		}
	})
}

func (s *intro) View(component.Size) component.View { return component.View{Lines: s.lines()} }

func (s *intro) lines() []string {
	const width = 66
	line := func(text i18n.Text) string { return format.Pad(s.Lang.Say(text), width) }
	heading := func(text i18n.Text) string { return format.Pad(look.Strong.Render(s.Lang.Say(text)), width) }
	if s.rename {
		return []string{
			"", heading("Another name"), "",
			line("Your rating and your matches stay with you. Others may take your"),
			line("old name as soon as you have given it up."), "",
			"    " + s.Lang.Say("Name") + "  " + s.name.View(), "",
			format.Pad(look.Faint.Render(s.Lang.Say(nameRule)+"."), width),
		}
	}
	if s.link {
		return []string{
			"", heading("Link this key to your account"), "",
			line("On the machine from which you have played before, press a in the"),
			line("lobby, then l. Type the code that it shows:"), "",
			"    " + s.Lang.Say("Code") + "  " + s.code.View(), "",
			format.Pad(look.Faint.Render(s.Lang.Say("It works once, within ten minutes.")), width),
		}
	}
	return []string{
		"", heading("Welcome to Broadside"), "",
		line("This key is new here. It is all you need for an account: it keeps"),
		line("your name, your rating and your matches, without a password."), "",
		line("What shall we call you?"), "",
		"    " + s.Lang.Say("Name") + "  " + s.name.View(), "",
		format.Pad(look.Faint.Render(s.Lang.Say(nameRule)+". "+s.Lang.Say("It can be changed later.")), width), "",
		format.Pad(s.Lang.Say("You have an account already? Press %s to link this key to it.", look.Key.Render(s.Lang.Say("tab"))), width),
	}
}

func (s *intro) Bindings() []key.Binding {
	switch {
	case s.rename:
		return []key.Binding{introKeys.accept, introKeys.back}
	case s.link:
		return []key.Binding{introKeys.link, introKeys.back}
	}
	return []key.Binding{introKeys.accept, introKeys.account, introKeys.guest, component.Leave}
}
