package tui

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/tui/format"
)

// watchList is where a match to watch is chosen.
type watchList struct {
	at string // the ID of the match pointed at; the first one if it is gone
}

func (s *watchList) key(m *Model, key string) tea.Cmd {
	all := m.matches()
	at := s.index(all)
	switch key {
	case "esc", "q", "w", "backspace":
		m.toLobby("")
	case "ctrl+c":
		return tea.Quit
	}
	if len(all) == 0 {
		return nil
	}
	switch key {
	case "up", "k":
		s.at = all[(at+len(all)-1)%len(all)].ID
	case "down", "j", "tab":
		s.at = all[(at+1)%len(all)].ID
	case "enter", "space":
		m.watch(all[at].ID)
	default:
		if n, ok := m.ordinal(key, len(all)); ok {
			m.watch(all[n].ID)
		}
	}
	return nil
}

func (s *watchList) index(all []session.Running) int {
	return max(0, slices.IndexFunc(all, func(r session.Running) bool { return r.ID == s.at }))
}

// watchListWidth is the width of the list of matches.
const watchListWidth = 60

func (s *watchList) draw(m *Model) []string {
	t := looks()
	all := m.matches()
	lines := []string{format.Pad(t.strong.Render(m.lang.Say("Watch a match")), watchListWidth), ""}
	if len(all) == 0 {
		return append(lines, m.lang.Say("No match is on."))
	}
	at := s.index(all)
	room := m.height - 3 - 5 // less what is around the list
	first := max(0, min(at-room/2, len(all)-room))
	for i, r := range all[first:min(len(all), first+room)] {
		i += first
		mark, number := "  ", "   "
		if i == at {
			mark = "▸ "
		}
		if i < 9 {
			number = fmt.Sprintf("%d  ", i+1)
		}
		lines = append(lines, mark+t.key.Render(number)+m.who(r.Players[0])+" – "+m.who(r.Players[1])+m.watchers(&r))
	}
	r := all[at]
	return append(lines, "", t.faint.Render(m.lang.Say("%s, clock %s, for %s.",
		r.Rules.Name+", "+m.lang.Say(r.Stakes.Word()), phrase.ClockName(m.lang, r.Rules.Clock), phrase.Minutes(m.lang, time.Since(r.Started)))))
}

// watchers says how many watch a match, if anybody does.
func (m *Model) watchers(r *session.Running) string {
	if r.Watching == 0 {
		return ""
	}
	return looks().faint.Render("  " + m.lang.Say("%d watching", r.Watching))
}

func (s *watchList) hints(*Model) []i18n.Text {
	return []i18n.Text{"↑↓", "choose", "enter", "watch", "1–9", "watch at once", "?", "help", "esc", "back"}
}
