package screen

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/view"
	"broadside/lobby/ladder"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// ladderPlayer is the page of one player on the ladder.
type ladderPlayer struct {
	*widget.Env
	rules, name string
	// page is nil until it is read.
	page *ladder.Page
	// failure says why the page cannot be read.
	failure string
	// busy is set while a match is being requested.
	busy        bool
	requestedAt time.Time
}

// Init implements [widget.Initializer]. It reads the page.
func (s *ladderPlayer) Init() tea.Cmd {
	s.requestedAt = time.Now()
	query := func(ctx context.Context) (ladder.Page, error) { return s.Session.LadderPage(ctx, s.rules, s.name) }
	return widget.Query(s.Env, query, func(p ladder.Page, err error) tea.Cmd {
		if err != nil {
			s.failure = s.ErrorText(err)
			return nil
		}
		s.page, s.failure = &p, ""
		return nil
	})
}

func (s *ladderPlayer) Update(msg tea.Msg) tea.Cmd {
	if u, ok := msg.(session.Update); ok && mayBeOutdated(u, s.requestedAt) {
		return s.Init()
	}
	return nil
}

// Actions implements [widget.Screen].
func (s *ladderPlayer) Actions() []widget.Action {
	return []widget.Action{
		{Keys: "p enter", Label: "play", Do: s.startMatch},
		{Keys: "w", Label: "watch", Do: func() tea.Cmd {
			if !s.CheckAction(s.Session.FindAndWatch(s.name)) {
				return nil
			}
			return s.Nav.Open(NewWatch(s.Env, s.State.Watching.ID))
		}},
		widget.HelpHint,
		widget.BackAction(s.Env, "q backspace"),
	}
}

// startMatch starts a match against a bot, or requests one against a program.
func (s *ladderPlayer) startMatch() tea.Cmd {
	r, err := match.Preset(s.rules)
	if err != nil || s.page == nil || s.busy {
		return nil
	}
	if s.page.Kind == "bot" {
		s.CheckAction(s.Session.PlayBot(s.name, r, s.Settings.RatingMode()))
		return nil
	}
	if !s.page.Online {
		s.Notice = s.Lang.Text("%s is offline.", text.CleanName(s.name))
		return nil
	}
	s.busy = true
	ratingMode := s.Settings.RatingMode()
	return RunOffer(s.Env, func() error { return s.Session.PlayOpponent(s.name, r, ratingMode) }, func() { s.busy = false })
}

func (s *ladderPlayer) View(size widget.Size) widget.View {
	return widget.PageView(size, s.Lang.Text("Program ladder"), widget.ListWidth, func(width, height int) []string {
		b := widget.Block{Title: view.LadderName(s.Lang, s.name) + "  " + s.rules, Focused: true}
		switch {
		case s.failure != "":
			b.Rows = widget.ParagraphRows(s.failure, term.Plain, width)
		case s.page == nil:
			b.Rows = []widget.Row{widget.TextRow(term.Faint.Render(s.Lang.Text("Loading…")))}
		default:
			b.Note = s.page.RatingText()
			b.Rows = append(s.factRows(width), s.listRows()...)
		}
		return b.Draw(width, max(height, len(b.Rows)+1))
	})
}

// factRows returns the player's figures.
func (s *ladderPlayer) factRows(width int) (rows []widget.Row) {
	// The title has the first fact, the rating.
	for _, fact := range view.LadderFacts(s.Lang, s.page)[1:] {
		rows = append(rows, widget.ParagraphRows(fact, term.Plain, width)...)
	}
	return rows
}

// listRows returns the player's last matches and opponents.
func (s *ladderPlayer) listRows() (rows []widget.Row) {
	rows = append(rows, widget.Row{}, widget.Row{Heading: s.Lang.Text("Last matches")})
	for _, g := range s.page.Last[:min(len(s.page.Last), 8)] {
		result, ending := view.LadderResult(s.Lang, g)
		opponent := text.Pad(view.LadderName(s.Lang, g.Opponent), text.NameWidth)
		rows = append(rows, widget.Row{Text: opponent + " " + result, Note: term.Faint.Render(ending)})
	}
	rows = append(rows, widget.Row{}, widget.Row{Heading: s.Lang.Text("Opponents")})
	for _, o := range s.page.Opponents {
		rows = append(rows, widget.Row{Text: view.LadderName(s.Lang, o.Name), Note: fmt.Sprintf("%d–%d", o.Won, o.Lost)})
	}
	return rows
}
