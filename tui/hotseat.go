package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/format"
)

// hotSeat is a match of two people at this terminal. Model.game is the seat of
// the one who looks, or looked last; between the two, handScreen hides
// everything.
type hotSeat struct {
	games   [2]*game
	battles [2]*battleScreen // where each has their cursor
}

// sitTogether takes both seats of a match.
func (m *Model) sitTogether(about *session.Match) {
	h := &hotSeat{}
	for side := match.First; side <= match.Second; side++ {
		g := newGame(about, side)
		g.own, g.opponent = format.Name(about.Names[side]), format.Name(about.Names[side.Other()])
		h.games[side] = g
	}
	m.hot, m.game = h, h.games[match.First]
	m.screen = &handScreen{}
}

// names are those of both.
func (h *hotSeat) names() [2]string {
	return [2]string{h.games[match.First].own, h.games[match.Second].own}
}

// due is the side that has to do something.
func (m *Model) due() match.Side {
	v := &m.game.last.View
	if v.Phase == match.Battle {
		return v.Turn
	}
	if v.Ready[match.First] {
		return match.Second
	}
	return match.First
}

// look lets a side look, which has confirmed that it is there alone.
func (m *Model) look(side match.Side) {
	h := m.hot
	g := h.games[side]
	v := &g.last.View
	m.game = g
	switch {
	case v.Phase == match.Over:
		m.screen = &hotResultScreen{}
	case v.Phase == match.Placing && !v.Ready[side]: // or its first update is on its way
		m.screen = newPlaceScreen()
	default:
		if h.battles[side] == nil {
			h.battles[side] = newBattleScreen(v.Rules)
		}
		m.screen = h.battles[side]
		m.do(session.Confirm{Side: side}) // their clock starts
	}
}

// timeIsUp reports whether the turn clock has run out for the player who sits at
// the terminal in a hot seat. The random shot waits for them.
func (m *Model) timeIsUp() bool {
	if m.hot == nil {
		return false
	}
	u := &m.game.last
	return u.View.Phase == match.Battle && u.View.Turn == m.game.side && !u.Deadline.IsZero() && !time.Now().Before(u.Deadline)
}

// followTogether is follow for two at one terminal.
func (m *Model) followTogether() {
	g := m.game
	v := &g.last.View
	_, placing := m.screen.(*placeScreen)
	_, shown := m.screen.(*hotResultScreen)
	switch {
	case v.Phase == match.Over:
		if !shown {
			m.screen = &hotResultScreen{}
		}
	case !placing || !v.Ready[g.side]:
	case v.Phase == match.Placing:
		m.screen = &handScreen{}
	default: // who has placed last shoots first
		m.look(g.side)
	}
}

// handScreen hides everything while the terminal changes hands. Which keys end
// a turn and this screen differ, so that none held down leads from one person's
// boards to the other's.
type handScreen struct {
	asked bool // whether to break the match off
}

func (s *handScreen) key(m *Model, key string) tea.Cmd {
	switch {
	case s.asked && key == "y":
		m.do(session.Abort{})
	case s.asked && key == "ctrl+c":
		m.quit = true
	case s.asked:
	case key == "enter":
		m.look(m.due())
		return nil
	case key == "q" || key == "esc" || key == "ctrl+c":
		s.asked = true
		return nil
	}
	s.asked = false
	return nil
}

func (s *handScreen) draw(m *Model) []string {
	t := looks()
	name := m.hot.games[m.due()].own
	lines := []string{
		"",
		t.strong.Render(m.lang.Say("Hand over to %s.", name)),
		"",
		m.lang.Say("Press enter when only %s looks.", name),
		"",
		m.timeLeft(),
	}
	if s.asked {
		lines = append(lines, "", t.warn.Render(m.lang.Say("Break this match off?"))+" "+m.lang.Say("Press y and nobody wins, any other key to go on."))
	}
	return format.Middle(m.width, lines...)
}

func (s *handScreen) hints(*Model) []i18n.Text {
	if s.asked {
		return []i18n.Text{"y", "break off", "ctrl+c", "leave at once", "any other key", "go on"}
	}
	return []i18n.Text{"enter", "look", "q", "break off"}
}

// hotResultScreen shows to both how their match ended.
type hotResultScreen struct{}

func (s *hotResultScreen) key(m *Model, key string) tea.Cmd {
	switch key {
	case "r":
		m.do(session.Rematch{}) // the second one who asks is granted it at once
	case "esc", "q", "b":
		m.toLobby("")
	case "ctrl+c":
		return tea.Quit
	}
	return nil
}

func (s *hotResultScreen) draw(m *Model) []string {
	t := looks()
	v := &m.game.last.View
	names := m.hot.names()
	verdict := t.warn.Render(m.lang.Say("NOBODY HAS WON.")) + " " + m.lang.Say("The match was broken off.")
	if v.Winner != match.Nobody {
		verdict = t.good.Render(m.lang.Say("%s HAS WON.", strings.ToUpper(names[v.Winner]))) + " " + phrase.EndingSeen(m.lang, v, names)
	}
	var boards [2]board.Panel
	for side := match.First; side <= match.Second; side++ {
		boards[side] = board.Panel{Heading: m.lang.Say("THE FLEET OF %s", names[side]), Board: board.Own(v, side), Below: phrase.Afloat(m.lang, &v.Charts[side.Other()])}
	}
	shots := strings.TrimSpace(phrase.ShotsSeen(m.lang, v, names) + " " + phrase.Rounds(m.lang, v))
	return m.showBoards(board.Scene{Status: verdict, Panels: boards[:],
		Text: []string{shots, m.lang.Say("Press r for a rematch with sides swapped.")}, Brief: shots})
}

func (s *hotResultScreen) hints(*Model) []i18n.Text {
	return []i18n.Text{"r", "rematch", "esc", "lobby", "?", "help", "ctrl+c", "leave"}
}
