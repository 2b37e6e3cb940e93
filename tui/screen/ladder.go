package screen

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/narrate"
	"broadside/lobby/ladder"
	"broadside/lobby/session"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// ladderTable is the ladder of programs of a rule set.
type ladderTable struct {
	*widget.Env
	rules string
	list  widget.List[ladder.Standing]
	// requestedAt is when the ladder was last requested.
	requestedAt time.Time
}

func newLadderTable(env *widget.Env) widget.Screen {
	s := &ladderTable{Env: env, rules: PresetForRating(env.Settings.Rules)}
	s.list.ID = func(p ladder.Standing) string { return p.Name }
	s.list.Open = func(p ladder.Standing) tea.Cmd {
		return s.Nav.Open(&ladderPlayer{Env: s.Env, rules: s.rules, name: p.Name})
	}
	return s
}

// Init implements [widget.Initializer]. It reads the ladder.
func (s *ladderTable) Init() tea.Cmd {
	rules := s.rules
	s.requestedAt = time.Now()
	return s.list.Load(s.Env, func(ctx context.Context) ([]ladder.Standing, error) {
		report, err := s.Session.LadderReport(ctx, rules)
		return report.Players, err
	})
}

// refreshInterval is the minimum time between two requests of a screen for the ladder because
// the lobby has changed.
const refreshInterval = 5 * time.Second

// mayBeOutdated reports whether the ladder may have changed since a time: an update that changes the lobby may
// mean that a match has ended.
func mayBeOutdated(u session.Update, since time.Time) bool {
	return u.Kind == session.LobbyChanged && time.Since(since) >= refreshInterval
}

func (s *ladderTable) Update(msg tea.Msg) tea.Cmd {
	if u, ok := msg.(session.Update); ok && mayBeOutdated(u, s.requestedAt) {
		return s.Init()
	}
	return s.list.Update(msg)
}

// Actions implements [widget.Screen].
func (s *ladderTable) Actions() []widget.Action {
	return append(s.list.Actions("open"), []widget.Action{
		{Keys: "r", Label: "rules", Do: func() tea.Cmd {
			s.rules = NextPreset(s.rules)
			s.list.Reset()
			return s.Init()
		}},
		widget.HelpHint,
		widget.BackAction(s.Env, "q backspace"),
	}...)
}

func (s *ladderTable) View(size widget.Size) widget.View {
	return widget.PageView(size, s.Lang.Text("Program ladder"), widget.ListWidth, func(width, height int) []string {
		b := widget.Block{Title: s.Lang.Text("Program ladder") + "  " + s.rules, Focused: true}
		if s.list.IsLoaded() && len(s.list.Items) == 0 {
			b.Rows = widget.ParagraphRows(s.Lang.Text("No match has been played on the ladder in %s yet.", s.rules), term.Plain, width)
		}
		wide := width >= ladderWide
		n := len(s.list.Items)
		if n > 0 {
			b.Note = fmt.Sprint(n)
			b.Rows = append(b.Rows, ratingHeadings(s.Lang, wide))
		}
		b.Rows = append(b.Rows, s.list.Rows(s.Env, width, height-2, func(_ int, p ladder.Standing) widget.Row { return s.row(p, wide) })...)
		return b.Draw(width, height)
	})
}

// row returns a player.
func (s *ladderTable) row(p ladder.Standing, wide bool) widget.Row {
	name, style := text.CleanName(p.Name), term.Strong
	if p.Kind == "bot" {
		name, style = narrate.BotName(s.Lang, p.Name), term.Info
	}
	row := widget.Row{Text: fmt.Sprintf("%3d ", p.Place) + style.Render(text.Pad(name, text.NameWidth))}
	online := "•"
	row.Note, _, _ = strings.Cut(p.RatingText(), " ")
	if wide {
		online = s.Lang.Text("online")
		row.Note = fmt.Sprintf("%13s %8d", p.RatingText(), p.Games)
	}
	if p.Online && p.Kind != "bot" {
		row.Text += " " + term.Good.Render(online)
	}
	return row
}
