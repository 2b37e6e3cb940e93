package screen

import (
	"fmt"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/narrate"
	"broadside/lobby"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// matchList is the screen for choosing a match to watch.
type matchList struct {
	*widget.Env
	at string // ID of the selected match; the first match if it no longer exists
}

// NewMatchList returns the list of matches to watch, with the given match selected.
func NewMatchList(env *widget.Env, selected string) widget.Screen {
	return &matchList{Env: env, at: selected}
}

var matchListKeys = struct{ watch, number, back key.Binding }{
	watch: widget.Bind("enter", "watch", "enter space"), number: widget.Bind("1–9", "watch now", ""), back: back("q w backspace"),
}

// Spectate keeps the featured match running, because it is in the list.
func (s *matchList) Spectate() widget.Spectate { return Featured(s.Env) }

func (s *matchList) Update(msg tea.Msg) tea.Cmd {
	if p, ok := msg.(widget.Pick); ok {
		if all := Matches(s.Lobby); p.Item <= len(all) {
			return s.Replace(NewWatch(s.Env, all[p.Item-1].ID))
		}
		return nil
	}
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	if key.Matches(press, matchListKeys.back) {
		s.Back()
		return nil
	}
	all := Matches(s.Lobby)
	if len(all) == 0 {
		return nil
	}
	at := s.index(all)
	if next, ok := widget.Step(press, at, len(all)); ok {
		s.at = all[next].ID
		return nil
	}
	switch {
	case key.Matches(press, matchListKeys.watch):
		return s.Replace(NewWatch(s.Env, all[at].ID))
	default:
		if n, ok := indexOfDigit(s.Env, press, len(all)); ok {
			return s.Replace(NewWatch(s.Env, all[n].ID))
		}
	}
	return nil
}

func (s *matchList) index(all []lobby.Running) int {
	return max(0, slices.IndexFunc(all, func(r lobby.Running) bool { return r.ID == s.at }))
}

func (s *matchList) View(size widget.Size) widget.View {
	return widget.Page(size, s.Lang.Text("Watch a match"), widget.ListWidth, func(width, height int) []string {
		all := Matches(s.Lobby)
		b := widget.Block{Title: s.Lang.Text("Matches"), Note: fmt.Sprint(len(all)), Focused: true}
		if len(all) == 0 {
			b.Rows = []widget.Row{widget.Line(s.Lang.Text("No match is running."))}
			return b.Draw(width, height)
		}
		at := s.index(all)
		room := height - 3
		first := max(0, min(at-room/2, len(all)-room)) // there may be thousands
		for i := first; i < min(len(all), first+room); i++ {
			b.Rows = append(b.Rows, s.row(i, &all[i], i == at, width))
		}
		r := all[at]
		return b.WithFoot(width, height, term.Faint.Render(s.Lang.Text("%s, clock %s, for %s.",
			r.Rules.Name+", "+s.Lang.Text(r.Stakes.Word()), narrate.ClockName(s.Lang, r.Rules.Clock), narrate.Minutes(s.Lang, time.Since(r.Started)))))
	})
}

// row returns a match of the list. The first nine have numbers.
func (s *matchList) row(i int, r *lobby.Running, selected bool, width int) widget.Row {
	number := "   "
	if i < 9 {
		number = fmt.Sprintf("%d  ", i+1)
	}
	players := s.RatedName(r.Players[0], r.Rules) + " – " + s.RatedName(r.Players[1], r.Rules)
	return widget.Row{
		Text: number + text.FirstFitting(width-len("1  ")-len(r.Rules.Name)-6, players, versus(s.Env, *r)) + Watching(s.Lang, r),
		Note: r.Rules.Name, Item: i + 1, Selected: selected,
	}
}

// Actions implements [widget.Screen].
func (s *matchList) Actions() []widget.Action { return widget.Hints(s.Bindings()) }

func (s *matchList) Bindings() []key.Binding {
	k := &matchListKeys
	return []key.Binding{k.watch, widget.Choose, k.number, widget.Help, k.back}
}
