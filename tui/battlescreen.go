package tui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/match"
	"broadside/tui/board"
)

// battleScreen is where shots are fired.
type battleScreen struct {
	at      match.Cell
	typing  typing
	leaving leaving
	fired   int // number of the shot sent last; its answer may not be here yet
}

func newBattleScreen(r match.Rules) *battleScreen {
	return &battleScreen{at: match.At((r.Size-1)/2, (r.Size-1)/2)}
}

func (s *battleScreen) key(m *Model, key string) tea.Cmd {
	if s.leaving.key(m, key) {
		return nil
	}
	v := &m.game.last.View
	if at, ok := s.typing.key(key, s.at, v.Rules); ok {
		s.at = at
		return nil
	}
	switch key {
	case "enter", "space":
		s.fire(m)
	case "!":
		m.game.seat.Claim()
	case "t":
		return m.startTalk()
	case "tab":
		if m.handsOver() {
			m.screen = &handScreen{}
		}
	}
	return nil
}

// handsOver tells whether who looks has done their part, and the other one sits
// beside them.
func (m *Model) handsOver() bool {
	v := &m.game.last.View
	return m.hot != nil && v.Phase == match.Battle && v.Turn != m.game.side
}

// fire shoots at the cell under the cursor, or says why not.
func (s *battleScreen) fire(m *Model) {
	g := m.game
	v := &g.last.View
	chart := &v.Charts[g.side]
	switch {
	case v.Phase != match.Battle:
		m.notice = "The battle has not begun: " + g.opponent + " is still placing ships."
	case m.handsOver():
		m.notice = "Your turn is over: press tab to hand over to " + g.opponent + "."
	case v.Turn != g.side:
		m.notice = "It is not your turn: " + g.opponent + " is aiming."
	case v.Pending || s.fired > chart.Fired:
		m.notice = "Your shot is on its way."
	case chart.Shots.Has(s.at):
		m.notice = "You have shot at " + s.at.String() + " already: choose another cell."
	case chart.Deduced.Has(s.at):
		m.notice = s.at.String() + " must be water, beside a sunk ship: choose another cell."
	default:
		s.fired = chart.Fired + 1
		g.seat.Fire(s.at)
	}
}

func (s *battleScreen) draw(m *Model) []string {
	g := m.game
	v := &g.last.View
	other := g.side.Other()
	at := s.at
	if v.Phase != match.Battle {
		at = board.Nowhere
	}
	all := []shown{
		ownFleet:    {g.heading(), fleetBoard(v, g.side), shipsLeft(&v.Charts[other])},
		enemyWaters: {"ENEMY WATERS · " + g.opponent, chartBoard(&v.Charts[g.side], at, v.Last[g.side]), shipsLeft(&v.Charts[g.side])},
	}
	m.hovered(enemyWaters, all[enemyWaters].board)
	text := lastLines(g.log)
	if s.leaving.asked {
		text = s.leaving.lines(m.width - 2*labelWidth)
	}
	return m.showBoards(scene{status: s.status(m), boards: all, text: text})
}

// The boards of a battle, in their order on the screen.
const (
	ownFleet = iota
	enemyWaters
)

// lastLines are as many lines as a screen shows of what has happened.
func lastLines(log []string) []string {
	lines := make([]string, logLines)
	copy(lines, log)
	return lines
}

func shipsLeft(c *match.Chart) string {
	return fmt.Sprintf("%d of %s afloat", c.ShipsLeft(), plural(len(c.Rules.Fleet), "ship", "ships"))
}

// status says whose turn it is, and how long.
func (s *battleScreen) status(m *Model) string {
	t := looks()
	g := m.game
	u := &g.last
	v := &u.View
	other := g.side.Other()
	var line string
	switch {
	case v.Phase == match.Placing:
		line = t.strong.Render("Your fleet is ready.") + " Waiting for " + g.opponent + " to place ships."
	case v.Turn == g.side && v.Pending:
		line = "Waiting for the answer of " + g.opponent + "."
	case v.Turn == g.side:
		line = t.good.Render("Your turn.") + " Fire at " + t.strong.Render(s.at.String()) + " with enter."
		if typed := s.typing.shown(); typed != "" {
			line += "  Cell: " + typed
		}
	case m.handsOver():
		line = t.good.Render("Press tab") + " to hand over to " + g.opponent + "."
	case u.Late[other]:
		return t.warn.Render(g.opponent+" is away for too long.") + " Press " + t.key.Render("!") + " to claim the win, or wait."
	case u.Away[other] && !u.AwayUntil[other].IsZero():
		return t.warn.Render(g.opponent+" is away.") + " You can claim the win in " + clock(time.Until(u.AwayUntil[other])) + "."
	default:
		line = t.warn.Render(g.opponent+" is aiming.") + " Your boards wait."
	}
	if !u.Deadline.IsZero() && v.Phase == match.Battle {
		line += "  " + t.strong.Render(clock(time.Until(u.Deadline)))
	}
	switch {
	case u.Late[other]:
		line += t.warn.Render("  " + g.opponent + " is away: ! claims the win.")
	case u.Away[other]:
		line += t.warn.Render("  " + g.opponent + " is away.")
	}
	return line
}

func (s *battleScreen) hints(m *Model) []string {
	if s.leaving.asked {
		return s.leaving.hints()
	}
	if m.handsOver() {
		return []string{"tab", "hand over", "?", "help", "q", "resign"}
	}
	return []string{"↑↓←→ hjkl", "aim", "B7", "name a cell", "enter", "fire", "?", "help", "q", "resign"}
}
