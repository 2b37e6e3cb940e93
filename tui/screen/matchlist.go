package screen

import (
	"fmt"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/internal/term"
	"broadside/tui/component"
	"broadside/tui/format"
)

// matchList is the screen for choosing a match to watch.
type matchList struct {
	*component.Env
	at string // ID of the selected match; the first match if it no longer exists
}

// NewMatchList returns the list of matches to watch, with the given match selected.
func NewMatchList(env *component.Env, selected string) component.Screen {
	return &matchList{Env: env, at: selected}
}

var matchListKeys = struct{ next, previous, watch, number, back key.Binding }{
	next: component.Bind("↑↓", "choose", "down j tab"), previous: component.Bind("↑↓", "choose", "up k"),
	watch: component.Bind("enter", "watch", "enter space"), number: component.Bind("1–9", "watch-now", ""), back: back("q w backspace"),
}

// Spectate keeps the featured match running, because it is in the list.
func (s *matchList) Spectate() component.Spectate { return Featured(s.Env) }

func (s *matchList) Update(msg tea.Msg) tea.Cmd {
	press, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return nil
	}
	if key.Matches(press, matchListKeys.back) {
		s.Home("")
		return nil
	}
	all := matches(s.Lobby)
	if len(all) == 0 {
		return nil
	}
	at := s.index(all)
	switch {
	case key.Matches(press, matchListKeys.previous):
		s.at = all[component.Cycle(at, -1, len(all))].ID
	case key.Matches(press, matchListKeys.next):
		s.at = all[component.Cycle(at, 1, len(all))].ID
	case key.Matches(press, matchListKeys.watch):
		return s.Replace(NewWatch(s.Env, all[at].ID))
	default:
		if n, ok := indexOfDigit(s.Env, press, len(all)); ok {
			return s.Replace(NewWatch(s.Env, all[n].ID))
		}
	}
	return nil
}

func (s *matchList) index(all []session.Running) int {
	return max(0, slices.IndexFunc(all, func(r session.Running) bool { return r.ID == s.at }))
}

// watchListWidth is the width of the list of matches.
const watchListWidth = 60

func (s *matchList) View(size component.Size) component.View {
	return component.View{Lines: s.lines(size)}
}

func (s *matchList) lines(size component.Size) []string {
	all := matches(s.Lobby)
	lines := []string{format.Pad(term.Strong.Render(s.Lang.Text("watch-a-match")), watchListWidth), ""}
	if len(all) == 0 {
		return append(lines, s.Lang.Text("no-match-is-running"))
	}
	at := s.index(all)
	room := size.Height - 3 - 5 // less the lines around the list
	first := max(0, min(at-room/2, len(all)-room))
	for i, r := range all[first:min(len(all), first+room)] {
		i += first
		number := "   "
		if i < 9 {
			number = fmt.Sprintf("%d  ", i+1)
		}
		lines = append(lines, mark(i == at)+term.Key.Render(number)+s.PlayerName(r.Players[0])+" – "+s.PlayerName(r.Players[1])+Watching(s.Lang, &r))
	}
	r := all[at]
	return append(lines, "", term.Faint.Render(s.Lang.Text("x-clock-x-for-x",
		r.Rules.Name+", "+s.Lang.Text(r.Stakes.Word()), phrase.ClockName(s.Lang, r.Rules.Clock), phrase.Minutes(s.Lang, time.Since(r.Started)))))
}

func (s *matchList) Bindings() []key.Binding {
	k := &matchListKeys
	return []key.Binding{k.next, k.watch, k.number, component.Help, k.back}
}
