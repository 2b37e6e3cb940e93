package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/tui/format"
)

// leaderScreen is the leaderboard of a rule set.
type leaderScreen struct {
	rules string
	board session.Board
	list  []session.Standing
	read  bool // list is there
	at    int  // the one pointed at
}

// kinds are the kinds of players, as a list has them.
var kinds = map[session.AccountKind]i18n.Text{session.PersonAccount: "person", session.ProgramAccount: "program", session.BotAccount: "bot"}

// listed is how much of a leaderboard is shown.
const listed = 100

var boardNames = [...]i18n.Text{session.Everybody: "everybody", session.People: "people", session.Machines: "bots and programs"}

func (s *leaderScreen) load(m *Model) tea.Cmd {
	board, rules := s.board, s.rules
	return m.later(s, func(ctx context.Context) func() tea.Cmd {
		list, err := session.Ask(ctx, m.own, session.Leaderboard{Board: board, Rules: rules, Limit: listed})
		return func() tea.Cmd {
			if board != s.board || rules != s.rules { // another one has been asked for since
				return nil
			}
			if err != nil {
				m.log.Error("leaderboard cannot be read", "error", err)
				m.notice = m.lang.Say(cannotRead)
				return nil
			}
			s.list, s.read = list, true
			s.at = max(0, min(s.at, len(list)-1))
			return nil
		}
	})
}

const cannotRead i18n.Text = "That cannot be read just now: try again in a minute."

func (s *leaderScreen) key(m *Model, key string) tea.Cmd {
	if at, ok := move(key, s.at, len(s.list), 10); ok {
		s.at = at
		return nil
	}
	switch key {
	case "r":
		s.rules = nextPreset(s.rules)
		return s.turn(m)
	case "tab", "b":
		s.board = (s.board + 1) % session.Board(len(boardNames))
		return s.turn(m)
	case "enter", "space":
		if s.at < len(s.list) {
			return m.visitShelf(&profileScreen{id: s.list[s.at].Player, rules: s.rules, back: s})
		}
	case "i":
		if !s.read {
			return nil
		}
		if m.me.Account == "" {
			m.notice = m.lang.Say("You are a guest: nothing is kept of you. Come with a key to have a profile.")
			return nil
		}
		return m.visitShelf(&profileScreen{id: m.me.Account, rules: s.rules, back: s})
	case "esc", "q", "l", "backspace":
		m.toLobby("")
	case "ctrl+c":
		return tea.Quit
	}
	return nil
}

// turn goes to another board.
func (s *leaderScreen) turn(m *Model) tea.Cmd {
	s.read, s.list, s.at = false, nil, 0
	return s.load(m)
}

// leaderWidth is the width of the list.
const leaderWidth = 62

func (s *leaderScreen) draw(m *Model) []string {
	t := looks()
	lines := []string{format.Pad(t.strong.Render(m.lang.Say("Leaderboard"))+"  "+s.rules+" · "+m.lang.Say(boardNames[s.board]), leaderWidth), ""}
	switch {
	case !s.read:
		return append(lines, t.faint.Render(m.lang.Say("It is coming.")))
	case len(s.list) == 0:
		return append(lines, m.lang.Say("No players are ranked yet."), "", m.lang.Say("Matches between people with a key, and against bots, are rated."), m.lang.Say("Provisional ratings, such as 1512?, are not ranked."))
	}
	head := "      " + format.Pad(m.lang.Say("name"), format.NameWidth+10) + fmt.Sprintf("%13s %6s", m.lang.Say("rating"), m.lang.Say("games"))
	narrow := m.width < leaderWidth
	if narrow {
		head = "      " + format.Pad(m.lang.Say("name"), format.NameWidth) + fmt.Sprintf("%13s", m.lang.Say("rating"))
	}
	lines = append(lines, t.faint.Render(head))
	var rows []string
	now := time.Now()
	for i, p := range s.list {
		mark := "  "
		if i == s.at {
			mark = "▸ "
		}
		name := format.Name(p.Name)
		row := mark + fmt.Sprintf("%3d ", i+1) + t.key.Render(format.Pad(name, format.NameWidth))
		if narrow {
			row += fmt.Sprintf("%13s", ratingText(p, now))
		} else {
			row += "  " + format.Pad(m.lang.Say(kinds[p.Kind]), 8) + fmt.Sprintf("%13s %6d", ratingText(p, now), p.Games)
			if p.Player == m.me.Account {
				row += "  " + m.lang.Say("you")
			}
		}
		rows = append(rows, row)
	}
	return append(lines, format.Window(rows, s.at, m.height-1-7)...)
}

// ratingText returns a rating with its deviation.
func ratingText(s session.Standing, now time.Time) string {
	return fmt.Sprintf("%v ±%.0f", s.Rating, s.At(now).Deviation)
}

func (s *leaderScreen) hints(*Model) []i18n.Text {
	return []i18n.Text{"↑↓", "choose", "enter", "profile", "i", "your own", "r", "rules", "tab", "who", "?", "help", "esc", "back"}
}
