package screen

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/lobby/code"
	"broadside/lobby/session"
	"broadside/lobby/tournament"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// tournamentList is the list of the player's tournaments, where codes are typed and tournaments are created.
type tournamentList struct {
	*widget.Env
	list widget.List[*tournament.Tournament]
	// revision is that of the tournaments in the list.
	revision int
	// prompt asks for the code of a tournament or, if creates is set, for the name of a new one.
	prompt  *widget.Prompt
	creates bool
	// format is the index of a new tournament's format in tournament.Formats.
	format int
	busy   bool
}

func newTournamentList(env *widget.Env) widget.Screen {
	s := &tournamentList{Env: env}
	s.list.ID = func(t *tournament.Tournament) string { return t.Code }
	s.list.Open = func(t *tournament.Tournament) tea.Cmd { return s.Nav.Open(NewTournament(s.Env, t)) }
	return s
}

// Init implements [widget.Initializer]. It reads the list.
func (s *tournamentList) Init() tea.Cmd {
	s.revision = s.Lobby.TournamentRevision
	s.list.SetItems(s.Session.Tournaments())
	return nil
}

// Typing implements [widget.Typist].
func (s *tournamentList) Typing() widget.Typing { return s.prompt.Typing() }

func (s *tournamentList) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(session.Update); ok && s.Lobby.TournamentRevision != s.revision {
		return s.Init()
	}
	if s.prompt != nil {
		s.UpdateField(s.prompt.Field, msg, s.prompt.Rule)
		return nil
	}
	return s.list.Update(msg)
}

// Actions implements [widget.Screen].
func (s *tournamentList) Actions() []widget.Action {
	if s.prompt == nil {
		return append(s.list.Actions("open"), []widget.Action{
			{Keys: "c", Label: "enter a code", Do: widget.NoCommand(s.askCode)},
			{Keys: "n", Label: "new", Do: widget.NoCommand(s.askName)},
			widget.HelpHint,
			widget.BackAction(s.Env, "q backspace"),
		}...)
	}
	format := widget.Action{Keys: "tab", Label: "format", Off: !s.creates, Do: widget.NoCommand(func() {
		s.format = widget.Cycle(s.format, 1, len(tournament.Formats))
	})}
	return append(s.prompt.Actions(func() { s.prompt = nil }), format)
}

// askCode asks for the code of a tournament to open.
func (s *tournamentList) askCode() {
	s.creates = false
	s.prompt = &widget.Prompt{
		Field: widget.NewField("", code.PrivateLength, widget.CodeLetter), Title: "Code", Label: "ok",
		Submit: func(code string) tea.Cmd {
			return s.openTournament(func(ctx context.Context) (*tournament.Tournament, error) { return s.Session.FindTournament(ctx, code) })
		},
	}
}

// askName asks for a new tournament's name.
func (s *tournamentList) askName() {
	s.creates = true
	s.prompt = &widget.Prompt{
		Field: widget.NewField("", tournament.MaxName, nil), Title: "Name", Label: "ok", Submit: s.createTournament,
	}
}

// createTournament creates a tournament under the player's rules.
func (s *tournamentList) createTournament(name string) tea.Cmd {
	r := s.Settings.Rules
	if r.Clock == 0 {
		r = r.WithClock(tournament.DefaultClock)
	}
	settings := tournament.Settings{
		Name: name, Format: tournament.Formats[s.format], Rules: r, RatingMode: s.Settings.RatingMode(), Grace: tournament.DefaultGrace,
	}
	return s.openTournament(func(ctx context.Context) (*tournament.Tournament, error) {
		return s.Session.CreateTournament(ctx, settings)
	})
}

// openTournament opens the tournament that query returns. It does nothing while it waits for an answer, so that
// pressing enter twice does not create two tournaments.
func (s *tournamentList) openTournament(query func(context.Context) (*tournament.Tournament, error)) tea.Cmd {
	if s.busy {
		return nil
	}
	s.busy = true
	return widget.Query(s.Env, query, func(t *tournament.Tournament, err error) tea.Cmd {
		s.busy = false
		if !s.CheckAction(err) {
			return nil
		}
		s.prompt = nil
		return s.Nav.Open(NewTournament(s.Env, t))
	})
}

func (s *tournamentList) View(size widget.Size) widget.View {
	return widget.PageView(size, s.Lang.Text("Tournaments"), widget.ListWidth, func(width, height int) []string {
		none := i18n.Key("You aren't in a tournament yet. Press c to enter a code, or n to create one.")
		if s.State.Me.Account == "" {
			none = "To play in a tournament, choose a name first: your account keeps your results."
		}
		b := widget.Block{Title: s.Lang.Text("Tournaments"), Focused: true, Rows: s.list.Rows(s.Env, width, height-1, s.row, none)}
		if s.prompt == nil {
			return b.Draw(width, height)
		}
		foot := s.prompt.Line(s.Lang)
		if s.creates {
			foot = text.TournamentFormatName(s.Lang, tournament.Formats[s.format]) + "  " + foot
		}
		return b.DrawWithHint(width, height, foot)
	})
}

func (s *tournamentList) row(_ int, t *tournament.Tournament) widget.Row {
	return widget.Row{Text: text.TournamentName(t), Note: text.TournamentState(s.Lang, t)}
}
