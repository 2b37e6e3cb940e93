package screen

import (
	"context"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// friends is the list of the people that the player follows.
type friends struct {
	*widget.Env
	list  []session.Friend
	reads int           // number of reads begun; only the result of the last one counts
	read  bool          // the list has been read
	at    int           // index of the selected friend
	name  *widget.Field // of a person to follow; nil while none is typed
	busy  bool          // the list is being changed
}

// NewFriends returns the list of the people that the player follows.
func NewFriends(env *widget.Env) widget.Screen { return &friends{Env: env} }

var friendKeys = struct{ challenge, watch, add, remove, follow, back key.Binding }{
	challenge: widget.Bind("enter", "challenge", "enter"), watch: widget.Bind("enter", "watch", "enter"),
	add: widget.Bind("a", "follow", "a"), remove: widget.Bind("x", "unfollow", "x"),
	follow: widget.Bind("enter", "follow", "enter"), back: back("q f backspace"),
}

// Init implements [widget.Initer]. It reads the list.
func (s *friends) Init() tea.Cmd {
	s.reads++
	number := s.reads
	return s.Background(func(ctx context.Context) func() {
		all, err := s.Session.Friends(ctx)
		return func() {
			if number != s.reads {
				return
			}
			if err != nil {
				s.Log.Error("friends cannot be read", "error", err)
				s.Notice = s.Lang.Text(widget.CannotRead)
				return
			}
			s.list, s.read, s.at = all, true, max(0, min(s.at, len(all)-1))
		}
	})
}

// OnlineFriends returns the friends that the lobby lists now.
func OnlineFriends(env *widget.Env, friends []session.Friend) (online []session.Friend) {
	for _, f := range friends {
		i := slices.IndexFunc(env.Lobby.People, func(p lobby.Presence) bool { return p.Player.ID == f.Player.ID })
		if i >= 0 {
			p := &env.Lobby.People[i]
			online = append(online, session.Friend{Player: p.Player, Online: true, Playing: p.Playing, DoNotDisturb: p.DoNotDisturb})
		}
	}
	return online
}

// outdated reports whether the friends who are online now differ from those in the list.
func (s *friends) outdated() bool {
	offline := func(f session.Friend) bool { return !f.Online }
	return !slices.Equal(slices.DeleteFunc(slices.Clone(s.list), offline), OnlineFriends(s.Env, s.list))
}

// Typing implements [widget.Typist].
func (s *friends) Typing() widget.Typing {
	if s.name != nil {
		return widget.SomeText
	}
	return widget.NoText
}

func (s *friends) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case session.Update:
		if msg.Kind == session.LobbyChanged && (!s.read || s.outdated()) {
			return s.Init()
		}
	case widget.Pick:
		if msg.Item <= len(s.list) {
			s.at = msg.Item - 1
			return Meet(s.Env, s.list[s.at])
		}
	case tea.KeyPressMsg:
		if s.name != nil {
			return s.typed(msg)
		}
		return s.press(msg)
	}
	return nil
}

func (s *friends) press(msg tea.KeyPressMsg) tea.Cmd {
	k, n := &friendKeys, len(s.list)
	switch {
	case key.Matches(msg, k.back):
		s.Back()
	case key.Matches(msg, k.add):
		s.name = widget.NewField("", account.MaxName, nameChar)
	case n == 0:
	case key.Matches(msg, k.challenge):
		return Meet(s.Env, s.list[s.at])
	case key.Matches(msg, k.remove):
		return s.change(s.Session.Unfollow, s.list[s.at].Player.Name)
	default:
		s.at, _ = widget.Step(msg, s.at, n)
	}
	return nil
}

// typed handles a key while a name is typed.
func (s *friends) typed(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, friendKeys.follow):
		return s.change(s.Session.Follow, s.name.Text())
	case msg.String() == "esc":
		s.name = nil
	default:
		s.Type(s.name, msg, nameLetters)
	}
	return nil
}

// change changes the list, unless it is already being changed, and reads it again.
func (s *friends) change(act func(context.Context, string) error, name string) tea.Cmd {
	if s.busy {
		return nil
	}
	s.busy = true
	field := s.name
	return s.Later(nil, func(ctx context.Context) func() tea.Cmd {
		err := act(ctx, name)
		return func() tea.Cmd {
			s.busy = false
			if err != nil {
				s.Notice = s.ErrorText(err)
			} else if s.name == field {
				s.name = nil
			}
			return s.Init()
		}
	})
}

// Meet challenges a friend, or watches their match.
func Meet(env *widget.Env, f session.Friend) tea.Cmd {
	switch {
	case f.Playing:
		if env.Check(env.Session.WatchBy(f.Player.Name)) {
			return env.Open(NewWatch(env, env.State.Watching.ID))
		}
		return nil
	case f.Online:
		return Seek(env, env.Session.Challenge(f.Player.ID, env.Settings.Rules, env.Settings.Stakes()))
	}
	env.Notice = env.Lang.Text("%s is offline.", text.Name(f.Player.Name))
	return nil
}

func (s *friends) View(size widget.Size) widget.View {
	return widget.Page(size, s.Lang.Text("Friends"), widget.ListWidth, func(width, height int) []string {
		b := widget.Block{Title: s.Lang.Text("Friends"), Focused: true}
		switch {
		case s.State.Me.Account == "":
			b.Rows = widget.Paragraph(s.Lang.Text("To follow players, choose a name first: press a in the lobby."), term.Plain, width)
		case s.read && len(s.list) == 0:
			b.Rows = widget.Paragraph(s.Lang.Text("You are not following anyone. Press a and type a player's name."), term.Plain, width)
		}
		for i := range s.list {
			b.Rows = append(b.Rows, s.row(i))
		}
		if s.name == nil {
			return b.Draw(width, height)
		}
		return b.WithFoot(width, height, s.Lang.Text("Name")+"  "+s.name.View())
	})
}

func (s *friends) row(i int) widget.Row {
	f := &s.list[i]
	state := term.Faint.Render(s.Lang.Text("offline"))
	switch {
	case f.Playing:
		state = term.Warn.Render(s.Lang.Text("playing"))
	case f.Online:
		state = term.Good.Render(s.Lang.Text("online"))
	}
	return widget.Row{Text: s.RatedName(f.Player, s.Settings.Rules), Note: state, Item: i + 1, Selected: i == s.at && s.name == nil}
}

// Actions implements [widget.Screen].
func (s *friends) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *friends) Bindings() []key.Binding {
	k := &friendKeys
	if s.name != nil {
		return []key.Binding{k.follow, k.back}
	}
	bindings := []key.Binding{k.add, widget.Help, k.back}
	if len(s.list) > 0 {
		meet := k.challenge
		if s.list[s.at].Playing {
			meet = k.watch
		}
		bindings = append([]key.Binding{meet, widget.Choose, k.remove}, bindings...)
	}
	return bindings
}
