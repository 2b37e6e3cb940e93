// Package lobby has the first screen of most sessions. It has three blocks: what to play,
// the people and live matches, and the player.
package lobby

import (
	"context"
	"errors"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/tui/screen"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// lobby is the screen. Its highlight is in one of the blocks.
type lobbyScreen struct {
	*widget.Env
	continues lobby.Occupancy // whether the player has a match to continue
	layout    layout          // of the last view
	revision  int             // of the account, when the friends were read
	focus     blockName
	lists     [blockCount]list
}

// New returns the lobby screen.
func New(env *widget.Env) widget.Screen {
	return &lobbyScreen{Env: env, continues: env.Occupancy()}
}

// profileDelay is the time until the lobby reads the player's profile, so that players who
// leave the lobby at once do not cost a query.
const profileDelay = 200 * time.Millisecond

// Init implements [widget.Initer]. It reads the player's ratings, results and friends.
func (s *lobbyScreen) Init() tea.Cmd {
	s.revision = s.State.AccountRevision
	if s.State.Me.Account == "" || !s.Session.State().HasStore {
		s.Profile, s.Friends = nil, nil
		return nil
	}
	me := s.State.Me.Account
	return widget.Wait(s.Ctx, profileDelay, func() tea.Cmd {
		return s.Background(func(ctx context.Context) func() {
			p, err := s.Session.Profile(ctx, me, true)
			friends, failed := s.Session.Friends(ctx)
			return func() {
				if err := errors.Join(err, failed); err != nil {
					s.Log.Error("profile cannot be read", "error", err)
					return
				}
				s.Profile, s.Friends = &p, friends
			}
		})
	})
}

// Subject implements [widget.Subject].
func (s *lobbyScreen) Subject() any { return s.continues }

// Spectate keeps the featured match running while the player is not idle.
func (s *lobbyScreen) Spectate() widget.Spectate { return screen.Featured(s.Env) }

func (s *lobbyScreen) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		return s.press(msg)
	case widget.Pick:
		b, i := picked(msg)
		switch {
		case b == blockCount: // a tab
			s.focus = blockName(i)
		case i < len(s.lists[b].items):
			s.focus = b
			s.lists[b].choose(i)
			return s.open()
		}
	case session.Update:
		if msg.Kind == session.LobbyChanged {
			s.lookForMatch()
			if s.revision != s.State.AccountRevision {
				return s.Init()
			}
		}
	}
	return nil
}

func (s *lobbyScreen) press(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, keys.open):
		return s.open()
	case key.Matches(msg, keys.next):
		s.focus = (s.focus + 1) % blockCount
		return nil
	case key.Matches(msg, keys.previous):
		s.focus = (s.focus + blockCount - 1) % blockCount
		return nil
	case s.move(msg.String()):
		return nil
	}
	for i := range menu {
		if item := &menu[i]; item.open != nil && key.Matches(msg, item.key) {
			return item.open(s)
		}
	}
	s.Notice = s.Lang.Text("Press p to play, b to play a bot, w to watch, ? for all keys, q to leave.")
	return nil
}

// open opens the highlighted item.
func (s *lobbyScreen) open() tea.Cmd {
	l := &s.lists[s.focus]
	if i := l.selected(); i >= 0 {
		return l.items[i].open(s)
	}
	if l.at != "" {
		s.Notice = s.Lang.Text("That player left: choose another.")
	}
	return nil
}

// lookForMatch updates whether there is a match to continue. To save queries, it only
// asks if the player seems to have one.
func (s *lobbyScreen) lookForMatch() {
	if s.continues != lobby.NoSeat || s.OwnMatch() != nil {
		s.continues = s.Occupancy()
	}
}

// Banner implements [widget.Banner]. It offers to continue a match.
func (s *lobbyScreen) Banner(width int) string {
	if s.continues == lobby.NoSeat {
		return ""
	}
	x := term.Key.Render("x")
	wide := s.Lang.Text("Your match is waiting: press %s to continue it.", x)
	if s.continues == lobby.UsedSeat {
		wide = s.Lang.Text("You have a match in another session: press %s to continue it here.", x)
	}
	return text.FirstFitting(width, term.Warn.Render(wide), x+" "+s.Lang.Text("continue your match"))
}

// Answer implements [widget.Banner]. The menu handles the key.
func (s *lobbyScreen) Answer(string) bool { return false }

// Actions implements [widget.Screen].
func (s *lobbyScreen) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *lobbyScreen) Bindings() []key.Binding {
	var bindings []key.Binding
	if s.continues != lobby.NoSeat {
		bindings = append(bindings, continueKey)
	}
	l := &s.lists[s.focus]
	if i := l.selected(); i >= 0 {
		bindings = append(bindings, l.items[i].binding())
	}
	return append(bindings, widget.Choose, keys.next, chatKey, widget.Help, leaveKey)
}

// Keys implements [widget.Manual].
func (s *lobbyScreen) Keys() []widget.Action { return widget.Hints(s.keys()) }

func (s *lobbyScreen) keys() []key.Binding { return []key.Binding{keys.move, keys.open, keys.next} }

// Keys returns the keys of the lobby's menu.
func Keys() []widget.Action {
	var all []key.Binding
	for i := range menu {
		all = append(all, menu[i].key)
	}
	return widget.Hints(all)
}
