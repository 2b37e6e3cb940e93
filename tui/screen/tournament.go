package screen

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/view"
	"broadside/lobby/session"
	"broadside/lobby/tournament"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// tournamentPage shows one cup: the pairs of a round, or the table.
type tournamentPage struct {
	*widget.Env
	cup   *tournament.Tournament
	shown int  // the revision of the cups that is shown
	table bool // the table is shown, not a round
	round int  // the round that is shown, from 0
	top   int  // the first line that is shown
}

func newTournament(env *widget.Env, c *tournament.Tournament) *tournamentPage {
	showsTable := c.Phase == tournament.Over || c.Phase == tournament.Joining
	return &tournamentPage{Env: env, cup: c, round: c.Round, table: showsTable, shown: env.Lobby.TournamentRevision}
}

var tournamentKeys = struct{ join, leave, start, pause, table, round, rounds, scroll, back key.Binding }{
	join: widget.Bind("j", "join", "j"), leave: widget.Bind("x", "leave", "x"),
	start: widget.Bind("s", "start", "s"), pause: widget.Bind("p", "pause", "p"),
	table: widget.Bind("tab", "table", "tab"), round: widget.Bind("tab", "rounds", "tab"),
	rounds: widget.Bind("←→", "rounds", "left right h l"), scroll: widget.Bind("↑↓", "scroll", "up down"),
	back: widget.Bind("esc", "back", "esc q backspace"),
}

func (s *tournamentPage) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case session.Update:
		if s.Lobby.TournamentRevision != s.shown {
			s.shown = s.Lobby.TournamentRevision
			code := s.cup.Code
			return s.ask(func(ctx context.Context) (*tournament.Tournament, error) { return s.Session.Tournament(ctx, code) })
		}
	case tea.KeyPressMsg:
		return s.press(msg)
	}
	return nil
}

func (s *tournamentPage) press(msg tea.KeyPressMsg) tea.Cmd {
	k := &tournamentKeys
	change := func(how session.TournamentChange) tea.Cmd {
		code := s.cup.Code
		return s.ask(func(ctx context.Context) (*tournament.Tournament, error) {
			return s.Session.ChangeTournament(ctx, code, how, "")
		})
	}
	switch {
	case key.Matches(msg, k.back):
		s.Back()
	case key.Matches(msg, k.join) && s.mayJoin():
		return change(session.JoinTournament)
	case key.Matches(msg, k.leave) && s.mayLeave():
		return change(session.LeaveTournament)
	case key.Matches(msg, k.start) && s.mayStart():
		return change(session.StartTournament)
	case key.Matches(msg, k.pause) && s.mayPause():
		return change(session.PauseTournament)
	case key.Matches(msg, k.table):
		s.table, s.top = !s.table, 0
	case msg.String() == "left" || msg.String() == "h":
		s.round, s.top = max(0, s.round-1), 0
	case msg.String() == "right" || msg.String() == "l":
		s.round, s.top = max(0, min(s.round+1, s.lastRound())), 0
	case msg.String() == "up":
		s.top = max(0, s.top-1)
	case msg.String() == "down":
		s.top = max(0, min(s.top+1, len(s.lines())-1))
	}
	return nil
}

// lastRound returns the last round that can be shown.
func (s *tournamentPage) lastRound() int { return max(s.cup.Round, len(s.cup.Bracket())-1) }

func (s *tournamentPage) mayJoin() bool {
	return s.cup.Phase == tournament.Joining && s.cup.Index(s.State.Me.ID) < 0 && s.State.Me.Account != ""
}

func (s *tournamentPage) mayLeave() bool {
	i := s.cup.Index(s.State.Me.ID)
	return i >= 0 && s.cup.Phase != tournament.Over && !s.cup.Entrants[i].Left
}

func (s *tournamentPage) mayStart() bool {
	return s.owns() && (s.cup.Phase == tournament.Joining || s.cup.Phase == tournament.Paused)
}

func (s *tournamentPage) mayPause() bool { return s.owns() && s.cup.Phase == tournament.Running }

func (s *tournamentPage) owns() bool {
	return s.State.Me.Account != "" && s.cup.Owner == s.State.Me.Account
}

// ask reads or changes the cup and shows it.
func (s *tournamentPage) ask(read func(context.Context) (*tournament.Tournament, error)) tea.Cmd {
	return s.Background(func(ctx context.Context) func() {
		c, err := read(ctx)
		return func() {
			if err != nil {
				s.Notice = s.ErrorText(err)
				return
			}
			if s.round == s.cup.Round {
				s.round = c.Round
			}
			if s.cup.Phase != c.Phase {
				s.table = c.Phase == tournament.Over || c.Phase == tournament.Joining
			}
			s.cup = c
		}
	})
}

// lines returns the table or the round in columns.
func (s *tournamentPage) lines() []string {
	if !s.table {
		return columns(text.TournamentRound(s.Lang, s.cup, s.round))
	}
	heads := view.Heads(s.Lang, text.TournamentHeads...)
	lines := columns(append([][]string{heads}, text.TournamentTable(s.Lang, s.cup)...))
	lines[0] = term.Faint.Render(lines[0])
	return lines
}

// columns returns rows as lines with aligned columns.
func columns(rows [][]string) []string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], text.Width(cell))
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		var b strings.Builder
		for k, cell := range row {
			b.WriteString(text.Pad(cell, widths[k]+2))
		}
		lines[i] = strings.TrimRight(b.String(), " ")
	}
	return lines
}

func (s *tournamentPage) View(size widget.Size) widget.View {
	return widget.Page(size, text.TournamentName(s.cup), widget.ListWidth, func(width, height int) []string {
		b := widget.Block{Title: text.TournamentName(s.cup), Note: s.cup.Code, Focused: true}
		b.Rows = widget.Paragraph(text.TournamentSummary(s.Lang, s.cup), term.Faint, width)
		if next := text.NextOpponent(s.Lang, s.cup, s.State.Me.ID); next != "" {
			b.Rows = append(b.Rows, widget.Paragraph(next, term.Strong, width)...)
		}
		b.Rows = append(b.Rows, widget.Row{})
		if !s.table {
			b.Rows = append(b.Rows, widget.Line(term.Strong.Render(s.Lang.Text("Round %d", s.round+1))))
		}
		lines := s.lines()
		for _, l := range lines[min(s.top, len(lines)):] {
			b.Rows = append(b.Rows, widget.Line(l))
		}
		return b.Draw(width, height)
	})
}

// Actions implements [widget.Screen].
func (s *tournamentPage) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *tournamentPage) Bindings() (bindings []key.Binding) {
	k := &tournamentKeys
	for _, x := range []struct {
		may     bool
		binding key.Binding
	}{
		{s.mayJoin(), k.join}, {s.mayStart(), k.start}, {s.mayPause(), k.pause}, {s.mayLeave(), k.leave},
		{!s.table, k.table}, {s.table && len(s.cup.Games) > 0, k.round}, {!s.table && s.lastRound() > 0, k.rounds},
		{len(s.lines()) > 12, k.scroll},
	} {
		if x.may {
			bindings = append(bindings, x.binding)
		}
	}
	return append(bindings, widget.Help, k.back)
}
