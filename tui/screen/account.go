package screen

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

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

// accountScreen shows and changes the keys of the player's account and the permanently muted
// players. It tells guests how to get an account.
type accountScreen struct {
	*widget.Env
	// list has the keys, and then the muted players.
	list widget.List[accountItem]
	// asksRemoval is set while the screen asks whether to remove the selected key.
	asksRemoval bool

	// revision is that of the account when it was last read.
	revision   int
	code       string
	codeExpiry time.Time
}

// accountItem is a key or a muted player.
type accountItem struct {
	id string
	// key is nil for a muted player.
	key   *store.Key
	muted account.Player
}

// NewAccount returns the account screen, or the registration screen for a player with
// a new key.
func NewAccount(env *widget.Env) widget.Screen {
	if env.State.Me.Account == "" && env.Session.Client().Fingerprint != "" && env.Session.State().HasStore {
		return NewIntro(env)
	}
	s := &accountScreen{Env: env}
	s.list.ID = func(a accountItem) string { return a.id }
	return s
}

// Init implements [widget.Initializer]. It reads the keys and the muted players.
func (s *accountScreen) Init() tea.Cmd {
	if s.State.Me.Account == "" {
		return nil
	}
	s.revision = s.State.AccountRevision
	code, keys := s.code, s.keyCount()
	query := func(ctx context.Context) (all []accountItem, err error) {
		keys, err := s.Session.Keys(ctx)
		for i := range keys {
			all = append(all, accountItem{id: keys[i].Fingerprint, key: &keys[i]})
		}
		muted, failed := s.Session.MutedPlayers(ctx)
		for _, p := range muted {
			all = append(all, accountItem{id: p.ID, muted: p})
		}
		return all, errors.Join(err, failed)
	}
	return widget.Query(s.Env, query, func(all []accountItem, err error) tea.Cmd {
		known, selected := s.list.IsLoaded(), s.selectedID()
		s.list.SetResult(s.Env, all, err)
		if !s.Session.IsLinkCodeValid(code) && s.code == code {
			// The code has been used.
			s.code = ""
		}
		if known && s.keyCount() > keys {
			s.Notice = s.Lang.Text("A key was linked to your account.")
		}
		s.asksRemoval = s.asksRemoval && s.selectedID() == selected
		return nil
	})
}

// keyCount returns the number of keys.
func (s *accountScreen) keyCount() int {
	n := slices.IndexFunc(s.list.Items, func(a accountItem) bool { return a.key == nil })
	if n < 0 {
		return len(s.list.Items)
	}
	return n
}

// selectedID returns the ID of the selected item, or "".
func (s *accountScreen) selectedID() string {
	item, _ := s.list.Selected()
	return item.id
}

// Typing implements [widget.Typist]. It keeps y and n for this screen's questions.
func (s *accountScreen) Typing() widget.Typing { return widget.SomeText }

// Subject implements [widget.Subject].
func (s *accountScreen) Subject() any { return s.keyCount() }

// NextTick implements [widget.Ticker].
func (s *accountScreen) NextTick(now time.Time) time.Duration {
	return widget.TimeToClockChange(now, s.codeExpiry)
}

func (s *accountScreen) Update(msg tea.Msg) tea.Cmd {
	if u, ok := msg.(session.Update); ok && u.Kind == session.LobbyChanged && s.revision != s.State.AccountRevision {
		return s.Init()
	}
	if press, ok := msg.(tea.KeyPressMsg); ok && s.asksRemoval {
		s.asksRemoval = false
		if s.Lang.IsYes(press.String()) {
			key := s.selectedID()
			return s.runChange(s.Lang.Text("The key is removed. It can no longer sign in."),
				func(ctx context.Context) error { return s.Session.RemoveKey(ctx, key) })
		}
		return nil
	}
	if _, ok := msg.(widget.Pick); ok {
		s.asksRemoval = false
	}
	return s.list.Update(msg)
}

// Actions implements [widget.Screen].
func (s *accountScreen) Actions() []widget.Action {
	if s.asksRemoval {
		return []widget.Action{
			{Keys: "y", Cap: "y##yes", Label: "remove"},
			{Keys: "esc", Cap: "any other key", Label: "keep"},
		}
	}
	guest := s.State.Me.Account == ""
	choose := widget.ChooseHint
	choose.Off = len(s.list.Items) < 2
	return []widget.Action{
		{Keys: "n", Label: "name", Off: guest, Do: func() tea.Cmd { return s.Nav.Replace(newIntro(s.Env, s.State.Me.Name, true)) }},
		{Keys: "l", Label: "link a key", Off: guest, Do: widget.NoCommand(s.createLinkCode)},
		choose,
		{Keys: "x delete", Label: "remove", Off: guest, Do: s.removeOrUnmute},
		widget.HelpHint,
		widget.BackAction(s.Env, "q a backspace"),
	}
}

// createLinkCode shows a code for linking another key to the account.
func (s *accountScreen) createLinkCode() {
	link, err := s.Session.NewLinkCode()
	if !s.CheckAction(err) {
		return
	}
	s.code, s.codeExpiry = link.Code, link.Expires
}

// removeOrUnmute asks whether to remove the selected key, or unmutes the selected player.
func (s *accountScreen) removeOrUnmute() tea.Cmd {
	item, ok := s.list.Selected()
	switch {
	case !ok:
	case item.key == nil:
		done := s.Lang.Text("%s is no longer muted.", text.CleanName(item.muted.Name))
		return s.runChange(done, func(ctx context.Context) error { return s.Session.SetMuteState(ctx, item.muted, chat.NotMuted) })
	case s.keyCount() == 1:
		s.Notice = s.ErrorText(store.ErrLastKey)
	default:
		s.asksRemoval = true
	}
	return nil
}

// runChange carries out an action and reads the list again. Done is the notice if it succeeds.
func (s *accountScreen) runChange(done string, action func(context.Context) error) tea.Cmd {
	return widget.Exec(s.Env, action, func(err error) tea.Cmd {
		if s.CheckAction(err) {
			s.Notice = done
		}
		return s.Init()
	})
}

func (s *accountScreen) View(size widget.Size) widget.View {
	heading := s.Lang.Text("Account")
	if s.State.Me.Account == "" {
		return widget.FormView(size, heading, s.guestInstructions)
	}
	return widget.PageView(size, heading, widget.ListWidth, func(width, height int) []string {
		code := s.drawActions(width)
		list := widget.Block{Title: s.Lang.Text("SSH keys"), Note: fmt.Sprint(s.keyCount()), Focused: true, Rows: s.groupedRows(width)}
		return text.Stack(0, code, list.DrawWithHint(width, height-len(code), s.hintText()))
	})
}

// drawActions returns the possible changes, and the code for linking a key if there is one.
func (s *accountScreen) drawActions(width int) []string {
	b := widget.Block{Title: s.Lang.Text("Your account: %s", text.CleanName(s.State.Me.Name))}
	b.Rows = []widget.Row{
		{Text: s.Lang.Text("Change name"), Key: "n", Press: "n"},
		{Text: text.FirstFitting(width-8, s.Lang.Text("Link another key, for example from another computer"), s.Lang.Text("link a key")), Key: "l", Press: "l"},
	}
	left := time.Until(s.codeExpiry)
	if s.code != "" && left > 0 {
		b.Rows = append(b.Rows, widget.ParagraphRows(s.Lang.Text("Connect from the other computer, press tab, and type this code there:"), term.Plain, width)...)
		b.Rows = append(b.Rows, widget.Row{Text: term.Strong.Render(s.code) + term.Faint.Render("   "+s.Lang.Text("single use, expires in %s", narrate.TimeLeft(s.Lang, left)))})
	}
	b.Rows = append(b.Rows, widget.Row{})
	return b.Draw(width, len(b.Rows)+1)
}

// groupedRows returns the keys and the muted players.
func (s *accountScreen) groupedRows(width int) (rows []widget.Row) {
	keys := s.keyCount()
	for i, row := range s.list.Rows(s.Env, width, len(s.list.Items), s.row) {
		if i == keys && len(s.list.Items) > keys {
			n := len(s.list.Items) - keys
			rows = append(rows, widget.Row{}, widget.Row{Heading: s.Lang.Text("Muted permanently"), Note: fmt.Sprint(n)})
		}
		rows = append(rows, row)
	}
	return rows
}

// row returns a key or a muted player.
func (s *accountScreen) row(_ int, a accountItem) widget.Row {
	if a.key == nil {
		return widget.Row{Text: text.CleanName(a.muted.Name)}
	}
	row := widget.Row{
		Text: text.Pad(text.Clean(a.key.Fingerprint, 18), 19) + text.Clean(a.key.Label, 12),
		Note: s.Lang.Text("added %s  used %s", s.Lang.ShortDate(a.key.Added), s.Lang.ShortDate(a.key.Used)),
	}
	if a.key.Fingerprint == s.Session.Client().Fingerprint {
		row.Text += " " + s.Lang.Text("(current)")
	}
	return row
}

// hintText returns the possible actions for the selected item, or the question about it.
func (s *accountScreen) hintText() string {
	item, ok := s.list.Selected()
	switch {
	case ok && item.key == nil:
		return term.Faint.Render(s.Lang.Text("Press x to unmute the selected player."))
	case s.asksRemoval:
		return term.Warn.Render(s.Lang.Text("Remove this key?")) + " " + s.Lang.Text("Press y to remove it, or any other key to keep it.")
	}
	return term.Faint.Render(s.Lang.Text("Press x to remove the selected key."))
}

// guestInstructions returns instructions for guests on getting an account.
func (s *accountScreen) guestInstructions(width int) widget.Block {
	if !s.State.HasStore {
		return widget.Block{Title: s.Lang.Text("Account"), Rows: widget.ParagraphRows(s.ErrorText(account.ErrNoStore), term.Plain, width)}
	}
	b := widget.Block{Title: s.Lang.Text("You are a guest")}
	add := func(paragraphs ...string) {
		for _, paragraph := range paragraphs {
			b.Rows = append(b.Rows, widget.ParagraphRows(paragraph, term.Plain, width)...)
		}
	}
	b.Rows = []widget.Row{{}}
	add(s.Lang.Text("Your matches aren't rated, and your name isn't saved."), s.Lang.Text("An account needs no password, only an SSH key. If you have none:"))
	b.Rows = append(b.Rows, widget.Row{}, widget.Row{Text: term.Key.Render("ssh-keygen -t ed25519")}, widget.Row{})
	add(
		s.Lang.Text("Then reconnect, not as guest or anonymous, and choose a name."),
		s.Lang.Text("You can continue a running match: note its resume code, and enter it after reconnecting, with %s in the lobby.", "m"),
	)
	return b
}
