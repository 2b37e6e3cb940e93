package screen

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/lobby/session"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// matchList is the screen for choosing a match to watch.
type matchList struct {
	*widget.Env
	list widget.List[lobby.RunningMatch]
}

// NewMatchList returns the list of matches to watch, with the given match selected.
func NewMatchList(env *widget.Env, selected string) widget.Screen {
	s := &matchList{Env: env}
	s.list.ID = func(r lobby.RunningMatch) string { return r.ID }
	s.list.Open = func(r lobby.RunningMatch) tea.Cmd { return s.Nav.Replace(NewWatch(s.Env, r.ID)) }
	s.list.SetItems(WatchableMatches(env.Lobby))
	s.list.Select(selected)
	return s
}

// WatchTarget keeps the featured match running, because it is in the list.
func (s *matchList) WatchTarget() widget.WatchTarget { return FeaturedTarget(s.Env) }

func (s *matchList) Update(msg tea.Msg) tea.Cmd {
	if _, ok := msg.(session.Update); ok {
		s.list.SetItems(WatchableMatches(s.Lobby))
	}
	return s.list.Update(msg)
}

// Actions implements [widget.Screen].
func (s *matchList) Actions() []widget.Action {
	return append(s.list.Actions("watch"), widget.Action{Cap: "1–9", Label: "watch now"}, widget.HelpHint, widget.BackAction(s.Env, "q w backspace"))
}

func (s *matchList) View(size widget.Size) widget.View {
	return widget.PageView(size, s.Lang.Text("Watch a match"), widget.ListWidth, func(width, height int) []string {
		b := widget.Block{Title: s.Lang.Text("Matches"), Note: fmt.Sprint(len(s.list.Items)), Focused: true}
		b.Rows = s.list.Rows(s.Env, width, height-3,
			func(i int, r lobby.RunningMatch) widget.Row { return s.row(i, r, width) }, "No match is running.")
		r, ok := s.list.Selected()
		if !ok {
			return b.Draw(width, height)
		}
		return b.DrawWithHint(width, height, term.Faint.Render(s.Lang.Text("%s, clock %s, for %s.",
			r.Rules.Name+", "+s.Lang.Text(r.RatingMode.Word()), narrate.ClockSetting(s.Lang, r.Rules.Clock), narrate.DurationInMinutes(s.Lang, time.Since(r.Started)))))
	})
}

// row returns a match of the list. The first nine have numbers.
func (s *matchList) row(i int, r lobby.RunningMatch, width int) widget.Row {
	number := "   "
	if i < 9 {
		number = fmt.Sprintf("%d  ", i+1)
	}
	players := s.NameWithRating(r.Players[0], r.Rules) + " – " + s.NameWithRating(r.Players[1], r.Rules)
	return widget.Row{
		Text: number + text.FirstFitting(width-len("1  ")-len(r.Rules.Name)-6, players, playerNames(s.Env, r)) + "  " + SpectatorsText(s.Lang, &r),
		Note: r.Rules.Name,
	}
}
