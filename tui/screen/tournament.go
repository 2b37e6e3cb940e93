package screen

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/view"
	"broadside/lobby/session"
	"broadside/lobby/tournament"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// tournamentPage shows one tournament: a round's pairs, or the table.
type tournamentPage struct {
	*widget.Env
	tournament *tournament.Tournament
	// revision is that of the tournaments when this one was read.
	revision int
	// showsTable is set if the page shows the table instead of a round.
	showsTable bool
	// round is the round on the page, from 0.
	round int
}

// NewTournament returns a tournament's page.
func NewTournament(env *widget.Env, t *tournament.Tournament) widget.Screen {
	showsTable := t.Phase == tournament.Over || t.Phase == tournament.Joining
	return &tournamentPage{Env: env, tournament: t, round: t.Round, showsTable: showsTable, revision: env.Lobby.TournamentRevision}
}

func (s *tournamentPage) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(session.Update); ok && s.Lobby.TournamentRevision != s.revision {
		s.revision = s.Lobby.TournamentRevision
		return s.queryTournament(func(ctx context.Context, code string) (*tournament.Tournament, error) {
			return s.Session.FindTournament(ctx, code)
		})
	}
	return nil
}

// Actions implements [widget.Screen].
func (s *tournamentPage) Actions() []widget.Action {
	t, me := s.tournament, s.State.Me
	change := func(how session.TournamentChange) func() tea.Cmd {
		return func() tea.Cmd {
			return s.queryTournament(func(ctx context.Context, code string) (*tournament.Tournament, error) {
				return s.Session.ChangeTournament(ctx, code, how, "")
			})
		}
	}
	show := func(table bool, round int) func() tea.Cmd {
		return widget.NoCommand(func() { s.showsTable, s.round = table, max(0, min(round, s.lastRound())) })
	}
	// Guests learn that they need an account.
	canJoin := t.CanJoin(me) || me.Account == "" && t.Phase == tournament.Joining
	return []widget.Action{
		{Keys: "j", Label: "join", Off: !canJoin, Do: change(session.JoinTournament)},
		{Keys: "s", Label: "start", Off: !t.CanStart(me), Do: change(session.StartTournament)},
		{Keys: "p", Label: "pause", Off: !t.CanPause(me), Do: change(session.PauseTournament)},
		{Keys: "x", Label: "leave", Off: !t.CanLeave(me), Do: change(session.LeaveTournament)},
		{Keys: "tab", Label: "table", Off: s.showsTable, Do: show(true, s.round)},
		{Keys: "tab", Label: "rounds", Off: !s.showsTable || len(t.Games) == 0, Do: show(false, s.round)},
		{Keys: "left right", Cap: "←→", Label: "rounds", Off: s.showsTable || s.lastRound() == 0},
		{Keys: "left h", Do: show(s.showsTable, s.round-1)},
		{Keys: "right l", Do: show(s.showsTable, s.round+1)},
		widget.HelpHint,
		widget.BackAction(s.Env, "q backspace"),
	}
}

// lastRound returns the last round that can be shown.
func (s *tournamentPage) lastRound() int {
	return max(s.tournament.Round, len(s.tournament.Bracket())-1)
}

// queryTournament reads or changes the tournament and shows it.
func (s *tournamentPage) queryTournament(query func(ctx context.Context, code string) (*tournament.Tournament, error)) tea.Cmd {
	code := s.tournament.Code
	read := func(ctx context.Context) (*tournament.Tournament, error) { return query(ctx, code) }
	return widget.Query(s.Env, read, func(t *tournament.Tournament, err error) tea.Cmd {
		if !s.CheckAction(err) {
			return nil
		}
		if s.round == s.tournament.Round {
			s.round = t.Round
		}
		if s.tournament.Phase != t.Phase {
			s.showsTable = t.Phase == tournament.Over || t.Phase == tournament.Joining
		}
		s.tournament = t
		return nil
	})
}

// tableOrRoundLines returns the table or the round in columns.
func (s *tournamentPage) tableOrRoundLines() []string {
	if !s.showsTable {
		return alignColumns(text.TournamentRoundRows(s.Lang, s.tournament, s.round))
	}
	heads := view.UpperHeadings(s.Lang, text.TournamentTableHeadings...)
	lines := alignColumns(append([][]string{heads}, text.TournamentTableRows(s.Lang, s.tournament)...))
	lines[0] = term.Faint.Render(lines[0])
	return lines
}

// alignColumns returns rows as lines with aligned columns.
func alignColumns(rows [][]string) []string {
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
	return widget.PageView(size, text.TournamentName(s.tournament), widget.ListWidth, func(width, height int) []string {
		b := widget.Block{Title: text.TournamentName(s.tournament), Note: s.tournament.Code, Focused: true}
		b.Rows = widget.ParagraphRows(text.TournamentSummary(s.Lang, s.tournament), term.Faint, width)
		next := text.NextOpponentText(s.Lang, s.tournament, s.State.Me.ID)
		if next != "" {
			b.Rows = append(b.Rows, widget.ParagraphRows(next, term.Strong, width)...)
		}
		b.Rows = append(b.Rows, widget.Row{})
		if !s.showsTable {
			b.Rows = append(b.Rows, widget.TextRow(term.Strong.Render(s.Lang.Text("Round %d", s.round+1))))
		}
		for _, l := range s.tableOrRoundLines() {
			b.Rows = append(b.Rows, widget.TextRow(l))
		}
		return b.Draw(width, max(height, len(b.Rows)+1))
	})
}
