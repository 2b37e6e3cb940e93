package screen

import (
	"context"
	"fmt"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/lobby/account"
	"broadside/lobby/chat"
	"broadside/lobby/session"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// account shows and changes the keys of the player's account and the permanently muted
// players. It tells guests how to get an account.
type accountScreen struct {
	*widget.Env
	keys   []store.Key
	muted  []account.Player
	read   bool // keys and muted have been read
	at     int  // index of the selected item: the keys come first, then the muted players
	remove bool // the player was asked to confirm the removal

	revision int // of the account, at the last read
	code     string
	until    time.Time // expiry of the code
}

// NewAccount returns the account screen, or the registration screen for a player with
// a new key.
func NewAccount(env *widget.Env) widget.Screen {
	if env.State.Me.Account == "" && env.Session.Client().Fingerprint != "" && env.Session.State().HasStore {
		return NewIntro(env)
	}
	return &accountScreen{Env: env}
}

var accountKeys = struct{ name, link, remove, confirm, keep, back key.Binding }{
	name: widget.Bind("n", "name", "n"), link: widget.Bind("l", "link a key", "l"),
	remove: widget.Bind("x", "remove", "x delete"), confirm: widget.Bind("y##yes", "remove", "y"),
	keep: widget.Bind("any other key", "keep", "esc"), back: back("q a backspace"),
}

// Init implements [widget.Initer]. It reads the keys and the muted players.
func (s *accountScreen) Init() tea.Cmd {
	if s.State.Me.Account == "" {
		return nil
	}
	s.revision = s.State.AccountRevision
	code := s.code
	return s.Later(s, func(ctx context.Context) func() tea.Cmd {
		keys, err := s.Session.Keys(ctx)
		muted, failed := s.Session.Muted(ctx)
		open := s.Session.LinkValid(code)
		if err == nil {
			err = failed
		}
		return func() tea.Cmd {
			if err != nil {
				s.Notice = s.ErrorText(err)
				return nil
			}
			if !open && s.code == code {
				s.code = "" // it has been used
			}
			s.update(keys, muted)
			return nil
		}
	})
}

// update applies newly read data, which another session may have changed. It keeps the
// selection if the item still exists.
func (s *accountScreen) update(keys []store.Key, muted []account.Player) {
	before, at := s.at, s.selected()
	if s.read && len(keys) > len(s.keys) {
		s.Notice = s.Lang.Text("A key was linked to your account.")
	}
	s.keys, s.muted, s.read = keys, muted, true
	for i := range len(keys) + len(muted) {
		if s.at = i; s.selected() == at {
			return
		}
	}
	s.at, s.remove = max(0, min(before, len(keys)+len(muted)-1)), false
}

// selected returns the ID of the selected item, or "".
func (s *accountScreen) selected() string {
	switch i := s.at - len(s.keys); {
	case i < 0:
		return s.keys[s.at].Fingerprint
	case i < len(s.muted):
		return s.muted[i].ID
	}
	return ""
}

// Typing implements [widget.Typist]. It keeps y and n for this screen's questions.
func (s *accountScreen) Typing() widget.Typing { return widget.SomeText }

// Subject implements [widget.Subject].
func (s *accountScreen) Subject() any { return len(s.keys) }

// NextTick implements [widget.Ticker].
func (s *accountScreen) NextTick(now time.Time) time.Duration {
	return widget.Countdown(now, s.until)
}

func (s *accountScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case widget.Pick:
		s.at, s.remove = msg.Item-1, false
	case tea.KeyPressMsg:
		return s.press(msg)
	case session.Update:
		if msg.Kind == session.LobbyChanged && s.revision != s.State.AccountRevision {
			return s.Init()
		}
	}
	return nil
}

func (s *accountScreen) press(msg tea.KeyPressMsg) tea.Cmd {
	if s.remove {
		s.remove = false
		if s.Lang.Yes(msg.String()) {
			return s.removeKey()
		}
		return nil
	}
	if key.Matches(msg, accountKeys.back) {
		s.Back()
		return nil
	}
	if s.State.Me.Account == "" {
		return nil
	}
	if at, ok := widget.MoveCursor(msg, s.at, len(s.keys)+len(s.muted)); ok {
		s.at = max(0, at)
		return nil
	}
	switch {
	case key.Matches(msg, accountKeys.name):
		return s.Replace(newRename(s.Env))
	case key.Matches(msg, accountKeys.link):
		return s.newCode()
	case key.Matches(msg, accountKeys.remove):
		switch {
		case s.at >= len(s.keys) && s.read:
			return s.unmute()
		case len(s.keys) == 1:
			s.Notice = s.ErrorText(store.ErrLastKey)
		case len(s.keys) > 1:
			s.remove = true
		}
	}
	return nil
}

// newCode shows a code for linking another key to the account.
func (s *accountScreen) newCode() tea.Cmd {
	link, err := s.Session.NewLinkCode()
	if err != nil {
		s.Notice = s.ErrorText(err)
		return nil
	}
	s.code, s.until = link.Code, link.Until
	return nil
}

func (s *accountScreen) removeKey() tea.Cmd {
	key := s.keys[s.at].Fingerprint
	return s.Later(s, func(ctx context.Context) func() tea.Cmd {
		err := s.Session.RemoveKey(ctx, key)
		return func() tea.Cmd {
			s.Notice = s.Lang.Text("The key is removed. It can no longer sign in.")
			if err != nil {
				s.Notice = s.ErrorText(err)
			}
			return s.Init()
		}
	})
}

// unmute unmutes the selected player.
func (s *accountScreen) unmute() tea.Cmd {
	if s.at-len(s.keys) >= len(s.muted) {
		return nil
	}
	other := s.muted[s.at-len(s.keys)]
	return s.Later(s, func(ctx context.Context) func() tea.Cmd {
		err := s.Session.Mute(ctx, other, chat.Audible)
		return func() tea.Cmd {
			s.Notice = s.Lang.Text("%s is no longer muted.", text.Name(other.Name))
			if err != nil {
				s.Notice = s.ErrorText(err)
			}
			return s.Init()
		}
	})
}

func (s *accountScreen) View(size widget.Size) widget.View {
	heading := s.Lang.Text("Account")
	if s.State.Me.Account == "" {
		return widget.FormPage(size, heading, s.howTo)
	}
	return widget.Page(size, heading, widget.ListWidth, func(width, height int) []string {
		code := s.linkCode(width)
		list := widget.Block{Title: s.Lang.Text("SSH keys"), Note: fmt.Sprint(len(s.keys)), Focused: true, Rows: s.rows()}
		return text.Stack(0, code, list.WithFoot(width, height-len(code), s.hint()))
	})
}

// linkCode returns the possible changes, and the code for linking a key if there is one.
func (s *accountScreen) linkCode(width int) []string {
	b := widget.Block{Title: s.Lang.Text("Your account: %s", text.Name(s.State.Me.Name))}
	b.Rows = []widget.Row{
		{Text: s.Lang.Text("Change name"), Key: "n", Press: "n"},
		{Text: text.FirstFitting(width-8, s.Lang.Text("Link another key, for example from another computer"), s.Lang.Text("link a key")), Key: "l", Press: "l"},
	}
	if left := time.Until(s.until); s.code != "" && left > 0 {
		b.Rows = append(b.Rows, widget.Paragraph(s.Lang.Text("Connect from the other computer, press tab, and type this code there:"), term.Plain, width)...)
		b.Rows = append(b.Rows, widget.Row{Text: term.Strong.Render(s.code) + term.Faint.Render("   "+s.Lang.Text("single use, expires in %s", narrate.TimeLeft(s.Lang, left)))})
	}
	b.Rows = append(b.Rows, widget.Row{})
	return b.Draw(width, len(b.Rows)+1)
}

// rows returns the keys and the muted players.
func (s *accountScreen) rows() (rows []widget.Row) {
	if !s.read {
		return []widget.Row{widget.Line(term.Faint.Render(s.Lang.Text("one moment…")))}
	}
	for i, k := range s.keys {
		row := widget.Row{
			Text: text.Pad(text.Clean(k.Fingerprint, 18), 19) + text.Clean(k.Label, 12), Item: i + 1, Selected: i == s.at,
			Note: s.Lang.Text("added %s  used %s", s.Lang.Day(k.Added), s.Lang.Day(k.Used)),
		}
		if k.Fingerprint == s.Session.Client().Fingerprint {
			row.Text += " " + s.Lang.Text("(current)")
		}
		rows = append(rows, row)
	}
	if len(s.muted) > 0 {
		rows = append(rows, widget.Row{}, widget.Row{Heading: s.Lang.Text("Muted permanently"), Note: fmt.Sprint(len(s.muted))})
	}
	for i, p := range s.muted {
		n := len(s.keys) + i
		rows = append(rows, widget.Row{Text: text.Name(p.Name), Item: n + 1, Selected: n == s.at})
	}
	return rows
}

// hint returns the possible actions for the selected item, or the question about it.
func (s *accountScreen) hint() string {
	switch {
	case s.at >= len(s.keys):
		return term.Faint.Render(s.Lang.Text("Press x to unmute the selected player."))
	case s.remove:
		return term.Warn.Render(s.Lang.Text("Remove this key?")) + " " + s.Lang.Text("Press y to remove it, or any other key to keep it.")
	}
	return term.Faint.Render(s.Lang.Text("Press x to remove the selected key."))
}

// howTo returns instructions for guests on getting an account.
func (s *accountScreen) howTo(width int) widget.Block {
	if !s.State.HasStore {
		return widget.Block{Title: s.Lang.Text("Account"), Rows: widget.Paragraph(s.ErrorText(account.ErrNoStore), term.Plain, width)}
	}
	b := widget.Block{Title: s.Lang.Text("You are a guest")}
	add := func(texts ...string) {
		for _, text := range texts {
			b.Rows = append(b.Rows, widget.Paragraph(text, term.Plain, width)...)
		}
	}
	b.Rows = []widget.Row{{}}
	add(s.Lang.Text("Your matches are not rated, and your name is not kept."), s.Lang.Text("An account needs no password, only an SSH key. If you have none:"))
	b.Rows = append(b.Rows, widget.Row{}, widget.Row{Text: term.Key.Render("ssh-keygen -t ed25519")}, widget.Row{})
	add(s.Lang.Text("Then reconnect, not as guest or anonymous, and choose a name."), s.Lang.Text("You can continue a running match: note its resume code,")+" "+s.Lang.Text("and enter it after reconnecting, with %s in the lobby.", "m"))
	return b
}

// Actions implements [widget.Screen].
func (s *accountScreen) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *accountScreen) Bindings() []key.Binding {
	if s.remove {
		return []key.Binding{accountKeys.confirm, accountKeys.keep}
	}
	if s.State.Me.Account == "" {
		return []key.Binding{widget.Help, accountKeys.back}
	}
	bindings := []key.Binding{accountKeys.name, accountKeys.link, accountKeys.remove, widget.Help, accountKeys.back}
	if len(s.keys)+len(s.muted) > 1 {
		bindings = slices.Insert(bindings, 2, widget.Choose)
	}
	return bindings
}
