package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/session"
	"broadside/match"
	"broadside/tui/format"
)

// sit begins a match of the session.
func (m *Model) sit(about *session.Match) {
	m.game, m.hot, m.help = nil, nil, false
	if about.HotSeat {
		m.sitTogether(about)
		return
	}
	m.game, m.chosen = newGame(about, about.Side), enemyWaters
	m.game.table, m.game.code = m.state.Seat, m.state.Seat.Code
	m.screen = newPlaceScreen()
	if why := WhyCasual(m.lang, &m.state); why != "" {
		m.notice = why
	}
}

// offered brings up to date whether the lobby offers to continue a match. Only
// a person who seems to have one is looked up.
func (m *Model) offered() {
	mine := func(r session.Running) bool { return r.Players[0].ID == m.me.ID || r.Players[1].ID == m.me.ID }
	if m.game == nil && (m.mine != session.NoSeat || slices.ContainsFunc(m.news.Running, mine)) {
		m.mine = m.occupancy()
	}
}

// occupancy asks whether the player has a match to continue.
func (m *Model) occupancy() session.Occupancy {
	o, _ := session.Ask(m.ctx, m.own, session.GetOccupancy{}) // which cannot fail
	return o
}

// offerLine offers to continue a match, in the lobby only; empty if there is
// none.
func (m *Model) offerLine() string {
	s, here := m.screen.(*lobbyScreen)
	if !here || s.choosing || m.mine == session.NoSeat {
		return ""
	}
	t := looks()
	x := t.key.Render("x")
	wide := m.lang.Say("Your match is waiting: press %s to continue it.", x)
	if m.mine == session.UsedSeat {
		wide = m.lang.Say("You have a match in another session: press %s to continue it here.", x)
	}
	return format.FirstFitting(m.width, t.warn.Render(wide), x+"  "+m.lang.Say("continue your match"))
}

// continueHere continues the person's match in this session, wherever it has
// been played.
func (m *Model) continueHere() {
	if m.occupancy() == session.NoSeat {
		m.notice = m.lang.Say("You have no match to continue.")
		return
	}
	m.do(session.Rejoin{HotSeat: true, Used: true})
}

// toLobby goes back to the lobby, with a sentence to read there. A match that is
// over, or is running, is left.
func (m *Model) toLobby(notice string) {
	if m.game != nil {
		m.do(session.LeaveMatch{})
	}
	m.game, m.hot = nil, nil
	m.screen, m.notice = &lobbyScreen{}, notice
	m.mine = m.occupancy()
}

// updated takes in what has happened in the match.
func (m *Model) updated(msg session.Update) tea.Cmd {
	g := m.game
	if m.hot != nil {
		g = m.hot.games[msg.Side]
	}
	if g == nil {
		return nil
	}
	var ring tea.Cmd
	if g.calls(&g.last, msg.Match) {
		ring = m.ring()
	}
	if g.take(*msg.Match) {
		m.do(session.Move{Side: g.side, Move: match.Stay}) // there is nothing to choose
	}
	if msg.Match.Refused != nil && g == m.game {
		m.notice = m.sentence(msg.Match.Refused)
		if s, ok := m.screen.(*battleScreen); ok {
			s.helm.sent = false
		}
	}
	m.follow()
	var shown tea.Cmd
	if _, fights := m.screen.(*battleScreen); fights && g == m.game {
		shown = m.flashOf(msg.Match.Events, boardsOf(g.side))
	}
	return tea.Batch(ring, shown)
}

// follow shows the screen that goes with the phase of the match.
func (m *Model) follow() {
	if m.hot != nil {
		m.followTogether()
		return
	}
	v := &m.game.last.View
	switch {
	case v.Phase == match.Over:
		if _, ok := m.screen.(*resultScreen); !ok {
			m.read()
			m.game.outcome = m.state.Outcome
			m.screen = &resultScreen{}
		}
	case v.Phase != match.Placing || v.Ready[m.game.side]:
		m.newcomer = false // whoever has placed a fleet knows enough
		if _, ok := m.screen.(*battleScreen); !ok {
			m.screen = newBattleScreen(v.Rules)
		}
	}
}
