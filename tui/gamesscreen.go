package tui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/format"
	"broadside/tui/replay"
)

// gamesScreen is the list of matches that have ended, newest first: of one
// player, or of all.
type gamesScreen struct {
	of   string // the account; empty for all
	name string // of the player, clean
	back screen // nil: the lobby
	list []session.Summary
	read bool // the list has begun
	all  bool // the list is whole
	busy bool // more of it is on its way
	at   int  // the one pointed at
}

// portion is how many matches are read at a time.
const portion = 50

func (s *gamesScreen) load(m *Model) tea.Cmd {
	s.list, s.read, s.all = nil, false, false
	return s.more(m)
}

// more reads the next portion of the list. One at a time.
func (s *gamesScreen) more(m *Model) tea.Cmd {
	games := session.Games{Of: s.of, Limit: portion}
	if len(s.list) > 0 {
		games.After = s.list[len(s.list)-1].Cursor()
	}
	s.busy = true
	return m.later(s, func(ctx context.Context) func() tea.Cmd {
		list, err := session.Ask(ctx, m.own, games)
		return func() tea.Cmd {
			s.busy = false
			if err != nil {
				m.log.Error("list of games cannot be read", "error", err)
				m.notice = m.lang.Say(cannotRead)
				return nil
			}
			s.list, s.read, s.all = append(s.list, list...), true, len(list) < portion
			s.at = max(0, min(s.at, len(s.list)-1))
			return nil
		}
	})
}

func (s *gamesScreen) key(m *Model, key string) tea.Cmd {
	if s.busy && (key == "enter" || key == "space" || key == "a") {
		return nil
	}
	if at, ok := move(key, s.at, len(s.list), 10); ok {
		s.at = at
		if s.at >= len(s.list)-1 && s.read && !s.all && !s.busy {
			return s.more(m)
		}
		return nil
	}
	switch key {
	case "enter", "space":
		if s.at < len(s.list) {
			return m.openReplay(s.list[s.at].ID, s)
		}
	case "a":
		switch {
		case s.of != "":
			s.of, s.name = "", ""
		case m.me.Account == "":
			m.notice = m.lang.Say("You are a guest: your games are not listed apart from the others.")
			return nil
		default:
			s.of, s.name = m.me.Account, format.Name(m.me.Name)
		}
		s.at = 0
		return s.load(m)
	case "esc", "q", "g", "backspace":
		m.comeBack(s.back)
	case "ctrl+c":
		return tea.Quit
	}
	return nil
}

// openReplay reads a match and shows it.
func (m *Model) openReplay(id string, back screen) tea.Cmd {
	if !m.own.HasStore() {
		m.notice = m.lang.Say("This server keeps no records.")
		return nil
	}
	lang := m.lang
	return m.later(back, func(ctx context.Context) func() tea.Cmd {
		game, err := session.Ask(ctx, m.own, session.GetRecord{ID: id})
		var film *replay.Replay
		if err == nil {
			film, err = replay.New(lang, game)
		}
		return func() tea.Cmd {
			switch {
			case errors.Is(err, session.ErrNotFound):
				m.notice = m.lang.Say("This match was not kept.")
			case err != nil:
				m.log.Error("match cannot be shown", "match", id, "error", err)
				m.notice = m.lang.Say(cannotRead)
			default:
				m.screen = newReplayScreen(film, back)
			}
			return nil
		}
	})
}

// gamesWidth is the width of the list.
const gamesWidth = 74

func (s *gamesScreen) draw(m *Model) []string {
	t := looks()
	heading := m.lang.Say("of everybody")
	if s.name != "" {
		heading = m.lang.Say("of %s", s.name)
	}
	lines := []string{format.Pad(t.strong.Render(m.lang.Say("Games"))+"  "+heading, gamesWidth), ""}
	switch {
	case !s.read:
		return append(lines, t.faint.Render(m.lang.Say("They are coming.")))
	case len(s.list) == 0:
		return append(lines, m.lang.Say("No match has ended yet."))
	}
	var rows []string
	for i, g := range s.list {
		mark := "  "
		if i == s.at {
			mark = "▸ "
		}
		rows = append(rows, mark+s.row(m, g))
	}
	lines = append(lines, format.Window(rows, s.at, m.height-3-6)...)
	return append(lines, "", t.faint.Render("ID "+s.list[s.at].ID+"   ssh HOST replay "+s.list[s.at].ID))
}

// row is a match in one line. The winner has a star.
func (s *gamesScreen) row(m *Model, g session.Summary) string {
	t := looks()
	names := ""
	for side, seat := range g.Seats {
		name := format.Clean(seat.Name, 16)
		if g.Winner == match.Side(side) {
			name += "*"
		}
		if side == 1 {
			names += " – "
		}
		names += name
	}
	about := g.RuleSet
	if s.of != "" {
		about = s.result(m, g)
	}
	if m.width < gamesWidth {
		return t.key.Render(names) + "  " + about + t.faint.Render("  "+m.ago(g.Ended()))
	}
	return t.key.Render(format.Pad(names, 38)) + " " + format.Pad(about, 12) + t.faint.Render(" "+format.Pad(m.lang.Say(phrase.Reason(g.Reason)), 12)+fmt.Sprintf("%10s", m.ago(g.Ended())))
}

// result is how a match ended for the player whose games these are.
func (s *gamesScreen) result(m *Model, g session.Summary) string {
	for side, seat := range g.Seats {
		if seat.Player != s.of {
			continue
		}
		word := m.lang.Say("lost ¦ in a list")
		switch g.Winner {
		case match.Side(side):
			word = m.lang.Say("won ¦ in a list")
		case match.Nobody:
			return m.lang.Say("nobody won")
		}
		if g.Rated {
			return fmt.Sprintf("%s %+.0f", word, seat.After-seat.Before)
		}
		return word
	}
	return ""
}

func (s *gamesScreen) hints(*Model) []i18n.Text {
	whose := i18n.Text("yours")
	if s.of != "" {
		whose = "everybody's"
	}
	return []i18n.Text{"↑↓", "choose", "enter", "replay", "a", whose, "?", "help", "esc", "back"}
}
