package screen

import (
	"context"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/code"
	"broadside/tui/term"
	"broadside/tui/widget"
)

// intro is the screen where a player with a new key creates an account, or links the
// key to an existing account with a code. It also renames accounts.
type intro struct {
	*widget.Env
	name   *widget.Field
	code   *widget.Field
	link   bool // the player types a code instead of a name
	rename bool // renaming an existing account
	busy   bool // waiting for an answer
	taken  bool // another player has the name
}

// NewIntro returns the screen where a player with a new key creates an account. It
// suggests the name from the SSH client if it is valid.
func NewIntro(env *widget.Env) widget.Screen {
	return newIntro(env, env.Session.Client().Name, false)
}

// newLink returns the screen where a player links a new key to an account with a code.
func newLink(env *widget.Env) widget.Screen {
	s := newIntro(env, "", false)
	s.link = true
	return s
}

func newIntro(env *widget.Env, suggestion string, rename bool) *intro {
	s := &intro{
		Env: env, rename: rename, name: widget.NewField("", account.MaxName, nameChar),
		code: widget.NewField("", code.LinkLength+2, func(c rune) rune { // with two hyphens
			c = unicode.ToUpper(c)
			_, unfit := code.Letters(string(c))
			if unfit != "" {
				return 0
			}
			return c
		}),
	}
	suggestion = strings.Map(func(c rune) rune {
		if nameChar(c) == 0 {
			return -1
		}
		return c
	}, suggestion)
	if account.CheckName(suggestion) == nil {
		s.name.SetText(suggestion)
	}
	return s
}

// The rules of names, and of the characters in them.
const (
	nameRule    i18n.Key = "3 to 16 letters, digits, - and _"
	nameLetters i18n.Key = "Use letters from a to z, digits, - and _, starting with a letter."
)

// nameChar returns the character to insert for a typed one; 0 rejects it.
func nameChar(c rune) rune {
	if c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c) || c == '-' || c == '_') {
		return c
	}
	return 0
}

// Typing implements [widget.Typist].
func (s *intro) Typing() widget.Typing { return widget.SomeText }

// Actions implements [widget.Screen].
func (s *intro) Actions() []widget.Action {
	enter, leave := i18n.Key("use this name"), i18n.Key("play as a guest")
	if s.link {
		enter = "link"
	}
	if s.link || s.rename {
		leave = "back"
	}
	return []widget.Action{
		{Keys: "enter", Label: enter, Do: s.enter},
		{Keys: "tab", Label: "I have an account", Off: s.link || s.rename, Do: widget.NoCommand(func() { s.link = true })},
		{Keys: "tab", Off: !s.link, Do: widget.NoCommand(func() { s.link = false })},
		{Keys: "esc", Label: leave, Do: s.leave},
		{Keys: "ctrl+c", Label: "leave", Off: s.link || s.rename},
	}
}

// Update passes a message to the active field, and asks whether the name is taken.
func (s *intro) Update(msg tea.Msg) tea.Cmd {
	if s.busy {
		return nil
	}
	field, rule := s.name, nameLetters
	if s.link {
		field, rule = s.code, "Codes have letters and digits only."
	}
	s.UpdateField(field, msg, rule)
	s.taken = false
	name := s.name.Text()
	if s.link || account.CheckName(name) != nil || name == s.State.Me.Name || !s.State.HasStore {
		return nil
	}
	find := func(ctx context.Context) (store.Player, error) { return s.Session.FindAccount(ctx, name) }
	return widget.Query(s.Env, find, func(other store.Player, err error) tea.Cmd {
		if s.name.Text() == name {
			s.taken = err == nil && other.ID != s.State.Me.Account
		}
		return nil
	})
}

// problem returns the fault of the name while it is typed; empty if there is none, or the
// name is still too short to tell.
func (s *intro) problem() string {
	name := s.name.Text()
	err := account.CheckName(name)
	switch {
	case s.link:
		return ""
	case s.taken:
		return s.Lang.Text("%s is taken: choose another name.", name)
	case err != nil && len(name) >= account.MinName:
		return s.ErrorText(err)
	}
	return ""
}

func (s *intro) leave() tea.Cmd {
	switch {
	case s.rename:
		return s.Replace(NewAccount(s.Env))
	case s.link:
		s.link = false
		return nil
	}
	return s.OpenStart(s.Lang.Text("You are an unrated guest. Press a to create an account with your key."))
}

// enter submits the input.
func (s *intro) enter() tea.Cmd {
	if s.busy {
		return nil
	}
	s.busy = true
	settings := s.Settings
	name, code, link, rename := s.name.Text(), s.code.Text(), s.link, s.rename
	return widget.Query(s.Env, func(ctx context.Context) (account.Settings, error) {
		switch {
		case rename:
			return settings, s.Session.Rename(ctx, name)
		case link:
			if err := s.Session.LinkKey(ctx, code); err != nil {
				return settings, err
			}
			return s.Session.Settings(ctx)
		}
		err := s.Session.Register(ctx, name)
		if err == nil {
			s.Session.SaveSettings(settings)
		}
		return settings, err
	}, s.accepted)
}

// accepted continues after the name or the code was accepted, unless there was an error.
func (s *intro) accepted(settings account.Settings, err error) tea.Cmd {
	s.busy = false
	if !s.CheckAction(err) {
		return nil
	}
	s.Session.SetDoNotDisturb(settings.DoNotDisturb)
	s.ApplySettings(settings)
	s.Newcomer = !s.rename && !s.link
	if !s.IsCurrent(s) {
		return nil // the player went on as a guest
	}
	if s.rename {
		cmd := s.Replace(NewAccount(s.Env))
		s.Notice = s.Lang.Text("Your name is now %s.", s.State.Me.Name)
		return cmd
	}
	return s.OpenStart(s.Lang.Text("Welcome, %s. Your key is now your account.", s.State.Me.Name))
}

func (s *intro) View(size widget.Size) widget.View {
	return widget.FormView(size, s.Lang.Text("Account"), func(width int) widget.Block {
		field, label, title := s.name, i18n.Key("Name"), i18n.Key("Welcome to Broadside")
		before := []i18n.Key{"This key is new here. It is all you need for an account that keeps", "your name, rating and matches, without a password.", "Choose a player name."}
		after := s.Lang.Text(nameRule) + ". " + s.Lang.Text("You can change it later.")
		switch {
		case s.rename:
			title, before, after = "Change name", []i18n.Key{"You keep your rating and your matches. Your old name becomes", "available to others immediately."}, s.Lang.Text(nameRule)+"."
		case s.link:
			field, label, title = s.code, "Code", "Link this key to your account"
			before, after = []i18n.Key{"On a computer that you have already played from, press a in the", "lobby, then l. Type the code shown there:"}, s.Lang.Text("It can be used once and expires after ten minutes.")
		}
		b := widget.Block{Title: s.Lang.Text(title), Focused: true, Rows: []widget.Row{{}}}
		b.Rows = append(b.Rows, widget.ParagraphRows(s.Lang.Text(before[0])+" "+s.Lang.Text(before[1]), term.Plain, width)...)
		for _, k := range before[2:] {
			b.Rows = append(b.Rows, widget.Row{}, widget.TextRow(s.Lang.Text(k)))
		}
		b.Rows = append(b.Rows, widget.Row{}, widget.Row{Text: s.Lang.Text(label) + "  " + field.View()}, widget.Row{})
		p := s.problem()
		if p != "" {
			b.Rows = append(b.Rows, widget.ParagraphRows(p, term.Warn, width)...)
		} else {
			b.Rows = append(b.Rows, widget.ParagraphRows(after, term.Faint, width)...)
		}
		if !s.rename && !s.link {
			b.Rows = append(b.Rows, widget.Row{}, widget.Row{
				Text: s.Lang.Text("I have an account"), Note: s.Lang.Text("link this key to it"), Key: s.Lang.Text("tab"), Press: "tab",
			})
		}
		return b
	})
}
