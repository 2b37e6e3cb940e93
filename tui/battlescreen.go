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

// battleScreen is where shots are fired.
type battleScreen struct {
	at      match.Cell
	typing  typing
	leaving leaving
	click   click
	fired   int // number of the shot sent last; its answer may not be here yet
	helm    helm
	steered bool // a move was to be chosen when this was last looked at
}

func newBattleScreen(r match.Rules) *battleScreen {
	return &battleScreen{at: match.At((r.Size-1)/2, (r.Size-1)/2)}
}

func (s *battleScreen) key(m *Model, key string) tea.Cmd {
	steers := s.steers(m)
	if steers && !s.leaving.asked && s.helm.key(m, key) {
		return nil
	}
	if s.leaving.key(m, key) {
		return nil
	}
	v := &m.game.last.View
	if steers {
	} else if at, ok := s.typing.key(key, s.at, v.Rules); ok {
		s.at, s.click.aimed = at, true
		return nil
	}
	switch key {
	case "enter", "space":
		if m.timeIsUp() {
			s.typing.clear()
			m.do(session.AcceptTimeout{Side: m.game.side})
			break
		}
		if !steers && s.typing.chosen(m, v.Rules) {
			s.fire(m)
		}
	case "!":
		m.do(session.Claim{})
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
	if m.hot == nil {
		return false
	}
	v := &m.game.last.View
	return v.Phase == match.Battle && v.Turn != m.game.side
}

// fire shoots at the cell under the cursor, or says why not.
func (s *battleScreen) fire(m *Model) {
	g := m.game
	v := &g.last.View
	chart := &v.Charts[g.side]
	switch {
	case v.Phase == match.Revealing:
		m.notice = phrase.Revealing(v, g.last.Names).In(m.lang)
	case v.Phase != match.Battle:
		m.notice = m.lang.Say("The battle has not begun: %s is still placing ships.", g.opponent)
	case m.handsOver():
		m.notice = m.lang.Say("Your turn is over: press tab to hand over to %s.", g.opponent)
	case v.Turn != g.side:
		m.notice = m.lang.Say("It is not your turn: %s is aiming.", g.opponent)
	case v.Pending || s.fired > chart.Fired:
		m.notice = m.lang.Say("Your shot is on its way.")
	case chart.Shots.Has(s.at) && !v.Rules.Moving:
		m.notice = m.lang.Say("You have shot at %s already: choose another cell.", s.at.String())
	case chart.Deduced.Has(s.at) && !v.Rules.Moving:
		m.notice = m.lang.Say("%s must be water, beside a sunk ship: choose another cell.", s.at.String())
	default:
		if m.do(session.Fire{Side: g.side, Cell: s.at}) {
			s.fired = chart.Fired + 1
		}
	}
}

func (s *battleScreen) draw(m *Model) []string {
	g := m.game
	v := &g.last.View
	other := g.side.Other()
	at := s.at
	steers := s.steers(m)
	if v.Phase != match.Battle || steers {
		at = board.Nowhere
	}
	all := []board.Panel{
		ownFleet:    {Heading: g.heading(m.lang), Board: board.Own(v, g.side), Below: phrase.Afloat(m.lang, &v.Charts[other])},
		enemyWaters: {Heading: g.watersHeading(m.lang), Board: board.Enemy(&v.Charts[g.side], at, v.Last[g.side]...), Below: phrase.Afloat(m.lang, &v.Charts[g.side])},
	}
	m.hovered(enemyWaters, all[enemyWaters].Board)
	status := ""
	if steers {
		s.helm.mark(v, g.side, all[ownFleet].Board)
		m.hovered(ownFleet, all[ownFleet].Board)
		line := s.helm.status(m, s.rest(m))
		status, m.buttons = line.text, line.buttons
	} else {
		status = s.status(m)
	}
	text := g.course.lines(m.lang, &g.last)
	if s.leaving.asked {
		text = s.leaving.lines(m, m.width-2*board.LabelWidth)
	}
	lines := m.showBoards(board.Scene{Status: status, Panels: all, Text: text, Brief: g.course.line(m.lang, m.width)})
	for i := range m.buttons { // they stand where the line begins
		m.buttons[i].left += len(lines[0]) - len(strings.TrimLeft(lines[0], " "))
	}
	return lines
}

// The boards of a battle, in their order on the screen.
const (
	ownFleet = iota
	enemyWaters
)

// status says whose turn it is, and how long, as widely as there is room.
func (s *battleScreen) status(m *Model) string {
	t := looks()
	g := m.game
	u := &g.last
	v := &u.View
	other := g.side.Other()
	rest := s.rest(m)
	if rest != "" {
		rest = "  " + rest
	}
	switch {
	case u.Paused:
		paused := t.warn.Render(m.lang.Say("The match is paused."))
		return format.FirstFitting(m.width, paused+" "+m.lang.Say("The server cannot save it at the moment."), paused)
	case v.Phase == match.Placing:
		waiting := m.lang.Say("Waiting for %s to place ships.", g.opponent) + rest
		return format.FirstFitting(m.width, t.strong.Render(m.lang.Say("Your fleet is ready."))+" "+waiting, waiting)
	case m.timeIsUp():
		up := t.warn.Render(m.lang.Say("Time is up.")) + " "
		return format.FirstFitting(m.width, up+m.lang.Say("Press enter to fire a random shot."), up+m.lang.Say("Press enter."))
	case v.Phase == match.Revealing:
		return phrase.Revealing(v, u.Names).In(m.lang)
	case v.Turn == g.side && v.Pending:
		return m.lang.Say("Waiting for the answer of %s.", g.opponent) + rest
	case v.Turn == g.side:
		chart := &v.Charts[g.side]
		wide := t.good.Render(m.lang.Say("Your turn.")) + " " + m.aims(chart, s.at, &s.typing)
		fires := wide
		if worth(chart, s.at) && s.typing.fits(v.Rules) {
			fires = t.good.Render(m.lang.Say("Enter fires at %s.", s.at.String()))
		}
		typed, age := "", ""
		if typed = s.typing.shown(m.lang); typed != "" {
			typed = "  " + typed
		}
		if n := chart.Age(s.at); v.Rules.Moving && n > 0 {
			age = t.faint.Render("  (" + m.lang.Say("%d shots ago", n) + ")")
		}
		return format.FirstFitting(m.width, wide+typed+rest+age, fires+typed+rest+age, fires+typed+rest)
	case m.handsOver():
		return t.good.Render(m.lang.Say("Press tab to hand over to %s.", g.opponent)) + rest
	case u.Late[other]:
		return format.FirstFitting(m.width,
			t.warn.Render(m.lang.Say("%s is away for too long.", g.opponent))+" "+m.lang.Say("Press %s to claim the win, or wait.", t.key.Render("!")),
			t.warn.Render(m.lang.Say("%s is away: ! claims the win.", g.opponent)))
	case u.Away[other] && !u.AwayUntil[other].IsZero():
		away, until := t.warn.Render(m.lang.Say("%s is away.", g.opponent))+" ", phrase.Clock(time.Until(u.AwayUntil[other]))
		return format.FirstFitting(m.width, away+m.lang.Say("You can claim the win in %s.", until), away+m.lang.Say("A win in %s.", until))
	}
	aiming := t.warn.Render(m.lang.Say("%s is aiming.", g.opponent))
	return format.FirstFitting(m.width, aiming+" "+m.lang.Say("Your boards wait.")+rest, aiming+rest)
}

// rest is what stands behind the status: the time left, and that the opponent
// is away.
func (s *battleScreen) rest(m *Model) (line string) {
	t := looks()
	g := m.game
	u := &g.last
	other := g.side.Other()
	if !u.Deadline.IsZero() && u.View.Phase == match.Battle {
		line += t.strong.Render(phrase.Clock(time.Until(u.Deadline)))
	}
	switch {
	case u.Late[other]:
		line += t.warn.Render("  " + m.lang.Say("%s is away: ! claims the win.", g.opponent))
	case u.Away[other]:
		line += t.warn.Render("  " + m.lang.Say("%s is away.", g.opponent))
	}
	return line
}

func (s *battleScreen) hints(m *Model) []i18n.Text {
	if s.leaving.asked {
		return s.leaving.hints()
	}
	if s.steers(m) {
		return s.helm.hints()
	}
	if m.game.last.View.Phase != match.Battle {
		return append(m.removeHint(), "?", "help", "q", "resign")
	}
	if m.handsOver() {
		return []i18n.Text{"tab", "hand over", "?", "help", "q", "resign"}
	}
	return []i18n.Text{"↑↓←→ hjkl", "aim", "B7", "name a cell", "enter", "fire", "?", "help", "q", "resign"}
}
