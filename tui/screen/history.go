package screen

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/store"
	"broadside/internal/view"
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// history is the list of finished matches of one player or of all players, newest first.
type history struct {
	*widget.Env
	// player is the account ID of the player. It is empty for all players.
	player string
	name   string
	list   widget.List[view.FinishedMatch]
}

// portionSize is the number of matches to read at a time.
const portionSize = 50

// NewHistory returns the list of an account's matches, or of all matches if id is empty.
func NewHistory(env *widget.Env, id, name string) widget.Screen {
	s := &history{Env: env, player: id, name: text.CleanName(name)}
	s.list.ID = func(m view.FinishedMatch) string { return m.ID }
	s.list.Open = func(m view.FinishedMatch) tea.Cmd { return OpenReplay(s.Env, s, m.ID, 0) }
	return s
}

// Init implements [widget.Initializer]. It reads the next portion of the list.
func (s *history) Init() tea.Cmd {
	player, lang, known, after := s.player, s.Lang, s.list.Items, store.Cursor{}
	n := len(known)
	if n > 0 {
		after = known[n-1].Cursor()
	}
	return s.list.Load(s.Env, func(ctx context.Context) ([]view.FinishedMatch, error) {
		more, err := s.Session.FinishedMatches(ctx, player, after, portionSize)
		return append(known, view.HistoryRows(lang, more)...), err
	})
}

func (s *history) Update(msg tea.Msg) tea.Cmd {
	cmd := s.list.Update(msg)
	// A last portion that is not full was the rest.
	more := len(s.list.Items)%portionSize == 0
	_, pressed := msg.(tea.KeyPressMsg)
	if pressed && s.list.IsLastSelected() && more && !s.list.IsLoading() {
		return s.Init()
	}
	return cmd
}

// Actions implements [widget.Screen].
func (s *history) Actions() []widget.Action {
	return append(s.list.Actions("replay"), []widget.Action{
		{Keys: "a", Label: "your matches", Off: s.player != "" || s.list.IsLoading(), Do: s.showOwnMatches},
		{Keys: "a", Label: "all matches", Off: s.player == "" || s.list.IsLoading(), Do: func() tea.Cmd { return s.showMatches("", "") }},
		widget.HelpHint,
		widget.BackAction(s.Env, "q g backspace"),
	}...)
}

// showOwnMatches lists the player's own matches.
func (s *history) showOwnMatches() tea.Cmd {
	if s.State.Me.Account == "" {
		s.Notice = s.Lang.Text("You are a guest, so your matches are not listed separately.")
		return nil
	}
	return s.showMatches(s.State.Me.Account, s.State.Me.Name)
}

// showMatches lists another player's matches, or all matches.
func (s *history) showMatches(id, name string) tea.Cmd {
	s.player, s.name = id, text.CleanName(name)
	s.list.Reset()
	return s.Init()
}

func (s *history) View(size widget.Size) widget.View {
	return widget.PageView(size, s.Lang.Text("History"), widget.ListWidth, func(width, height int) []string {
		whose := s.Lang.Text("of everyone")
		if s.player != "" {
			whose = s.Lang.Text("of %s", s.name)
		}
		b := widget.Block{Title: s.Lang.Text("History") + " " + whose, Focused: true}
		column := 0
		for _, m := range s.list.Items {
			column = max(column, text.Width(namesWithWinner(m)))
		}
		b.Rows = s.list.Rows(s.Env, width, height-2, func(_ int, m view.FinishedMatch) widget.Row { return s.row(m, width, column) },
			"No match has finished yet.")
		selected, ok := s.list.Selected()
		if !ok {
			return b.Draw(width, height)
		}
		id := "ID " + selected.ID
		return b.DrawWithHint(width, height, term.Faint.Render(text.FirstFitting(width-4, id+"   ssh HOST replay "+selected.ID, id)))
	})
}

// namesWithWinner returns the names of a match's players, with a star for the winner.
func namesWithWinner(m view.FinishedMatch) string {
	names := m.Names
	if m.Winner != match.Nobody {
		names[m.Winner] += "*"
	}
	return names[match.First] + " – " + names[match.Second]
}

// row returns a match as one line. The names have a column of that width if the line is short.
func (s *history) row(m view.FinishedMatch, width, column int) widget.Row {
	names, about := namesWithWinner(m), m.RuleSet
	if s.player != "" {
		about = m.PlayerResult(s.Lang, s.player)
	}
	row := widget.Row{Text: text.Pad(names, column) + "  " + about, Note: timeAgo(s.Lang, m.EndTime())}
	if width >= 70 {
		row.Text = text.Pad(names, 34) + " " + text.Pad(about, 12) + " " + term.Faint.Render(m.Ending)
	}
	return row
}
