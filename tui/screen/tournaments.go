package screen

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/lobby/code"
	"broadside/lobby/session"
	"broadside/lobby/tournament"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// tournaments is the list of the player's cups, where codes are typed and cups are created.
type tournaments struct {
	*widget.Env
	cups   []*tournament.Tournament
	shown  int           // the revision of the cups that is shown
	at     int           // index of the selected cup
	code   *widget.Field // of a cup to open; nil while none is typed
	name   *widget.Field // of a new cup; nil while none is typed
	format int           // of a new cup, an index of tournament.Formats
	asking bool          // waiting for the answer to ask
}

// NewTournaments returns the list of the player's cups.
func NewTournaments(env *widget.Env) widget.Screen { return &tournaments{Env: env} }

var tournamentsKeys = struct{ open, code, create, format, enter, back key.Binding }{
	open: widget.Bind("enter", "open", "enter"), code: widget.Bind("c", "enter a code", "c"),
	create: widget.Bind("n", "new", "n"), format: widget.Bind("tab", "format", "tab"),
	enter: widget.Bind("enter", "ok", "enter"), back: widget.Bind("esc", "back", "esc q C backspace"),
}

// Init implements [widget.Initer]. It reads the list.
func (s *tournaments) Init() tea.Cmd {
	s.shown = s.Lobby.TournamentRevision
	s.cups = s.Session.Tournaments()
	s.at = max(0, min(s.at, len(s.cups)-1))
	return nil
}

// Typing implements [widget.Typist].
func (s *tournaments) Typing() widget.Typing {
	if s.code != nil || s.name != nil {
		return widget.SomeText
	}
	return widget.NoText
}

func (s *tournaments) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case session.Update:
		if s.Lobby.TournamentRevision != s.shown {
			return s.Init()
		}
	case widget.Pick:
		if msg.Item <= len(s.cups) {
			return s.Open(newTournament(s.Env, s.cups[msg.Item-1]))
		}
	case tea.KeyPressMsg:
		switch {
		case s.code != nil:
			return s.typeCode(msg)
		case s.name != nil:
			return s.typeName(msg)
		}
		return s.press(msg)
	}
	return nil
}

func (s *tournaments) press(msg tea.KeyPressMsg) tea.Cmd {
	k := &tournamentsKeys
	switch {
	case key.Matches(msg, k.back):
		s.Back()
	case key.Matches(msg, k.code):
		s.code = widget.NewField("", code.PrivateLength, widget.CodeChar)
	case key.Matches(msg, k.create):
		s.name = widget.NewField("", tournament.MaxName, nil)
	case len(s.cups) == 0:
	case key.Matches(msg, k.open):
		return s.Open(newTournament(s.Env, s.cups[s.at]))
	default:
		s.at, _ = widget.Step(msg, s.at, len(s.cups))
	}
	return nil
}

// typeCode handles a key while a code is typed.
func (s *tournaments) typeCode(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, tournamentsKeys.enter):
		code := s.code.Text()
		return s.ask(func() (*tournament.Tournament, error) { return s.Session.Tournament(s.Ctx, code) })
	case msg.String() == "esc":
		s.code = nil
	default:
		s.code.Update(msg)
	}
	return nil
}

// typeName handles a key while the name of a new cup is typed.
func (s *tournaments) typeName(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(msg, tournamentsKeys.enter):
		r := s.Settings.Rules
		if r.Clock == 0 {
			r = r.WithClock(session.TournamentClock)
		}
		settings := tournament.Settings{
			Name: s.name.Text(), Format: tournament.Formats[s.format], Rules: r, Stakes: s.Settings.Stakes(),
			Grace: tournament.DefaultGrace,
		}
		return s.ask(func() (*tournament.Tournament, error) { return s.Session.NewTournament(s.Ctx, settings) })
	case key.Matches(msg, tournamentsKeys.format):
		s.format = widget.Cycle(s.format, 1, len(tournament.Formats))
	case msg.String() == "esc":
		s.name = nil
	default:
		s.name.Update(msg)
	}
	return nil
}

// ask reads a cup and opens it. It does nothing while it waits for an answer,
// so that pressing enter twice does not create two cups.
func (s *tournaments) ask(read func() (*tournament.Tournament, error)) tea.Cmd {
	if s.asking {
		return nil
	}
	s.asking = true
	return func() tea.Msg {
		c, err := read()
		return widget.Result{Then: func() tea.Cmd {
			s.asking = false
			if err != nil {
				s.Notice = s.ErrorText(err)
				return nil
			}
			s.code, s.name = nil, nil
			return s.Open(newTournament(s.Env, c))
		}}
	}
}

func (s *tournaments) View(size widget.Size) widget.View {
	return widget.Page(size, s.Lang.Text("Tournaments"), widget.ListWidth, func(width, height int) []string {
		b := widget.Block{Title: s.Lang.Text("Tournaments"), Focused: true}
		hint := i18n.Key("")
		switch {
		case s.State.Me.Account == "":
			hint = "To play in a tournament, choose a name first: your account keeps your results."
		case len(s.cups) == 0:
			hint = "You aren't in a tournament yet. Press c to enter a code, or n to create one."
		}
		if hint != "" {
			b.Rows = widget.Paragraph(s.Lang.Text(hint), term.Plain, width)
		}
		for i, c := range s.cups {
			b.Rows = append(b.Rows, widget.Row{
				Text: text.TournamentName(c), Note: text.TournamentState(s.Lang, c), Item: i + 1, Selected: i == s.at && s.Typing() == widget.NoText,
			})
		}
		switch {
		case s.code != nil:
			return b.WithFoot(width, height, s.Lang.Text("Code")+"  "+s.code.View())
		case s.name != nil:
			return b.WithFoot(width, height, text.TournamentFormat(s.Lang, tournament.Formats[s.format])+"  "+s.Lang.Text("Name")+"  "+s.name.View())
		}
		return b.Draw(width, height)
	})
}

// Actions implements [widget.Screen].
func (s *tournaments) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *tournaments) Bindings() []key.Binding {
	k := &tournamentsKeys
	switch {
	case s.code != nil:
		return []key.Binding{k.enter, k.back}
	case s.name != nil:
		return []key.Binding{k.enter, k.format, k.back}
	case len(s.cups) > 0:
		return []key.Binding{k.open, widget.Choose, k.code, k.create, widget.Help, k.back}
	}
	return []key.Binding{k.code, k.create, widget.Help, k.back}
}
