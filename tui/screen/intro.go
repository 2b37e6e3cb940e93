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

// introScreen is the screen where a player with a new key creates an account, or links the
// key to an existing account with a code. It also renames accounts.
type introScreen struct {
	*widget.Env
	name *widget.Field
	code *widget.Field
	// isLink is set if the player types a code instead of a name, and isRename if the account exists.
	isLink   bool
	isRename bool
	busy     bool
	// isTaken is set if another player has the name.
	isTaken bool
}

// NewIntro returns the screen where a player with a new key creates an account. It
// suggests the name from the SSH client if it is valid.
func NewIntro(env *widget.Env) widget.Screen {
	return newIntro(env, env.Session.Client().Name, false)
}

// newLinkScreen returns the screen where a player links a new key to an account with a code.
func newLinkScreen(env *widget.Env) widget.Screen {
	s := newIntro(env, "", false)
	s.isLink = true
	return s
}

func newIntro(env *widget.Env, suggestion string, rename bool) *introScreen {
	s := &introScreen{
		Env: env, isRename: rename, name: widget.NewField("", account.MaxName, acceptNameChar),
		// A link code can have two hyphens.
		code: widget.NewField("", code.LinkLength+2, func(c rune) rune {
			c = unicode.ToUpper(c)
			_, unfit := code.Letters(string(c))
			if unfit != "" {
				return 0
			}
			return c
		}),
	}
	suggestion = strings.Map(func(c rune) rune {
		if acceptNameChar(c) == 0 {
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

// acceptNameChar returns the character to insert for a typed one, or 0 to reject it.
func acceptNameChar(c rune) rune {
	if c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c) || c == '-' || c == '_') {
		return c
	}
	return 0
}

// Typing implements [widget.Typist].
func (s *introScreen) Typing() widget.Typing { return widget.SomeText }

// Actions implements [widget.Screen].
func (s *introScreen) Actions() []widget.Action {
	enter, leave := i18n.Key("use this name"), i18n.Key("play as a guest")
	if s.isLink {
		enter = "link"
	}
	if s.isLink || s.isRename {
		leave = "back"
	}
	return []widget.Action{
		{Keys: "enter", Label: enter, Do: s.submit},
		{Keys: "tab", Label: "I have an account", Off: s.isLink || s.isRename, Do: widget.NoCommand(func() { s.isLink = true })},
		{Keys: "tab", Off: !s.isLink, Do: widget.NoCommand(func() { s.isLink = false })},
		{Keys: "esc", Label: leave, Do: s.leave},
		{Keys: "ctrl+c", Label: "leave", Off: s.isLink || s.isRename},
	}
}

// Update passes a message to the active field, and asks whether the name is taken.
func (s *introScreen) Update(msg tea.Msg) tea.Cmd {
	if s.busy {
		return nil
	}
	field, rule := s.name, nameLetters
	if s.isLink {
		field, rule = s.code, "Codes have letters and digits only."
	}
	s.UpdateField(field, msg, rule)
	s.isTaken = false
	name := s.name.Text()
	if s.isLink || account.CheckName(name) != nil || name == s.State.Me.Name || !s.State.HasStore {
		return nil
	}
	find := func(ctx context.Context) (store.Player, error) { return s.Session.FindAccount(ctx, name) }
	return widget.Query(s.Env, find, func(other store.Player, err error) tea.Cmd {
		if s.name.Text() == name {
			s.isTaken = err == nil && other.ID != s.State.Me.Account
		}
		return nil
	})
}

// nameProblem returns what is wrong with the name while it is typed. It is empty if nothing is, or if the name
// is still too short to tell.
func (s *introScreen) nameProblem() string {
	name := s.name.Text()
	err := account.CheckName(name)
	switch {
	case s.isLink:
		return ""
	case s.isTaken:
		return s.Lang.Text("%s is taken: choose another name.", name)
	case err != nil && len(name) >= account.MinName:
		return s.ErrorText(err)
	}
	return ""
}

func (s *introScreen) leave() tea.Cmd {
	switch {
	case s.isRename:
		return s.Nav.Replace(NewAccount(s.Env))
	case s.isLink:
		s.isLink = false
		return nil
	}
	return s.Nav.OpenStart(s.Lang.Text("You are an unrated guest. Press a to create an account with your key."))
}

// submit submits the input.
func (s *introScreen) submit() tea.Cmd {
	if s.busy {
		return nil
	}
	s.busy = true
	settings := s.Settings
	name, code, link, rename := s.name.Text(), s.code.Text(), s.isLink, s.isRename
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
	}, s.finishSubmit)
}

// finishSubmit continues after the name or the code was accepted, unless there was an error.
func (s *introScreen) finishSubmit(settings account.Settings, err error) tea.Cmd {
	s.busy = false
	if !s.CheckAction(err) {
		return nil
	}
	s.Session.SetDoNotDisturb(settings.DoNotDisturb)
	s.Nav.ApplySettings(settings)
	s.Newcomer = !s.isRename && !s.isLink
	if !s.Nav.IsCurrent(s) {
		// The player went on as a guest.
		return nil
	}
	if s.isRename {
		cmd := s.Nav.Replace(NewAccount(s.Env))
		s.Notice = s.Lang.Text("Your name is now %s.", s.State.Me.Name)
		return cmd
	}
	return s.Nav.OpenStart(s.Lang.Text("Welcome, %s. Your key is now your account.", s.State.Me.Name))
}

func (s *introScreen) View(size widget.Size) widget.View {
	return widget.FormView(size, s.Lang.Text("Account"), func(width int) widget.Block {
		field, label, title := s.name, i18n.Key("Name"), i18n.Key("Welcome to Broadside")
		before := []i18n.Key{"This key is new here. It is all you need for an account that keeps", "your name, rating and matches, without a password.", "Choose a player name."}
		after := s.Lang.Text(nameRule) + ". " + s.Lang.Text("You can change it later.")
		switch {
		case s.isRename:
			title, before, after = "Change name", []i18n.Key{"You keep your rating and your matches. Your old name becomes", "available to others immediately."}, s.Lang.Text(nameRule)+"."
		case s.isLink:
			field, label, title = s.code, "Code", "Link this key to your account"
			before, after = []i18n.Key{"On a computer that you have already played from, press a in the", "lobby, then l. Type the code shown there:"}, s.Lang.Text("It can be used once and expires after ten minutes.")
		}
		b := widget.Block{Title: s.Lang.Text(title), Focused: true, Rows: []widget.Row{{}}}
		b.Rows = append(b.Rows, widget.ParagraphRows(s.Lang.Text(before[0])+" "+s.Lang.Text(before[1]), term.Plain, width)...)
		for _, k := range before[2:] {
			b.Rows = append(b.Rows, widget.Row{}, widget.TextRow(s.Lang.Text(k)))
		}
		b.Rows = append(b.Rows, widget.Row{}, widget.Row{Text: s.Lang.Text(label) + "  " + field.View()}, widget.Row{})
		p := s.nameProblem()
		if p != "" {
			b.Rows = append(b.Rows, widget.ParagraphRows(p, term.Warn, width)...)
		} else {
			b.Rows = append(b.Rows, widget.ParagraphRows(after, term.Faint, width)...)
		}
		if !s.isRename && !s.isLink {
			b.Rows = append(b.Rows, widget.Row{}, widget.Row{
				Text: s.Lang.Text("I have an account"), Note: s.Lang.Text("link this key to it"), Key: s.Lang.Text("tab"), Press: "tab",
			})
		}
		return b
	})
}
