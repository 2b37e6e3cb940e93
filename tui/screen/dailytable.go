package screen

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby/daily"
	"broadside/tui/play"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// dailyTable lists who has sunk today's fleet of the daily sea with the fewest shots.
type dailyTable struct {
	*widget.Env
	list widget.List[daily.Row]
	// revision is that of the results in the list.
	revision int
}

func newDailyTable(env *widget.Env) widget.Screen {
	s := &dailyTable{Env: env}
	s.list.ID = func(r daily.Row) string { return r.Name }
	return s
}

// Init implements [widget.Initializer]. It reads the table.
func (s *dailyTable) Init() tea.Cmd {
	s.revision = s.Lobby.DailyRevision
	query := func(ctx context.Context) ([]daily.Row, error) {
		d, err := s.Session.DailyLeaderboard(ctx, daily.PuzzleDay(time.Now()), maxListed)
		return append(d.Best, d.Newcomers...), err
	}
	return s.list.Load(s.Env, query)
}

func (s *dailyTable) Update(msg tea.Msg) tea.Cmd {
	if s.Lobby.DailyRevision != s.revision {
		return s.Init()
	}
	return s.list.Update(msg)
}

// Actions implements [widget.Screen].
func (s *dailyTable) Actions() []widget.Action {
	return []widget.Action{
		{Keys: "enter space d p", Label: "daily sea", Do: func() tea.Cmd { return s.Nav.Open(play.NewDaily(s.Env)) }},
		widget.HelpHint,
		widget.BackAction(s.Env, "q backspace"),
	}
}

func (s *dailyTable) View(size widget.Size) widget.View {
	return widget.PageView(size, s.Lang.Text("Daily sea"), widget.ListWidth, func(width, height int) []string {
		b := widget.Block{Title: s.Lang.Text("Best on %s", s.Lang.ShortDate(time.Now())), Focused: true}
		b.Rows = s.list.Rows(s.Env, width, height-3, s.row, "no one yet")
		return b.DrawWithHint(width, height, s.Lang.Text("Press enter to play today's sea."))
	})
}

// row returns a player who has sunk the fleet. Newcomers have no place.
func (s *dailyTable) row(_ int, r daily.Row) widget.Row {
	place, style := "", term.Strong
	if r.Place > 0 {
		place = fmt.Sprint(r.Place)
	}
	if r.Own {
		style = term.Mark
	}
	return widget.Row{Text: fmt.Sprintf("%3s  ", place) + style.Render(text.CleanName(r.Name)), Note: s.Lang.Text("%d shot||%d shots", r.Shots)}
}
