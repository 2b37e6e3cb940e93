package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/match"
	"broadside/match/live"
)

// awaitSeat receives what becomes of a ticket.
func (m *Model) awaitSeat(t *lobby.Ticket) tea.Cmd {
	return func() tea.Msg {
		select {
		case s := <-t.Seated():
			return seatedMsg{t, s}
		case <-m.ctx.Done():
			return nil
		}
	}
}

func (m *Model) seated(msg seatedMsg) tea.Cmd {
	switch s := m.screen.(type) {
	case *waitScreen:
		if s.ticket == msg.ticket {
			if msg.seating == nil {
				m.toLobby(m.sentence(msg.ticket.Err()))
				return nil
			}
			return m.sit(msg.seating)
		}
	case *resultScreen:
		if s.wish == msg.ticket {
			if msg.seating == nil {
				s.wish = nil
				m.notice = m.sentence(msg.ticket.Err())
				return nil
			}
			return m.sit(msg.seating)
		}
	}
	// The person has turned to something else meanwhile.
	if msg.seating != nil {
		msg.seating.Seat.Resign()
		msg.seating.Rise()
	}
	return nil
}

// sit takes a seat in a match, or both in a hot seat.
func (m *Model) sit(s *lobby.Seating) tea.Cmd {
	m.riseAll()
	if s.Partner != nil {
		return m.sitTogether(s)
	}
	m.game, m.chosen = newGame(s), enemyWaters
	m.screen = newPlaceScreen()
	return tea.Batch(m.game.await(m.ctx), m.game.awaitTable(m.ctx))
}

// rejoin continues the person's match, if they have one that no session plays.
// A match in another session is only offered.
func (m *Model) rejoin() (tea.Cmd, bool) {
	m.mine = m.hall.Occupancy(m.me)
	if m.mine != lobby.FreeSeat {
		return nil, false
	}
	seating := m.hall.Unfinished(m.me)
	if seating == nil { // it has just ended
		return nil, false
	}
	m.notice = m.lang.Say("Welcome back: your match goes on.")
	return m.sit(seating), true
}

// offered brings up to date whether the lobby offers to continue a match. Only
// a person who seems to have one is looked up.
func (m *Model) offered() {
	mine := func(r lobby.Running) bool { return r.Players[0].ID == m.me.ID || r.Players[1].ID == m.me.ID }
	if m.game == nil && (m.mine != lobby.NoSeat || slices.ContainsFunc(m.news.Running, mine)) {
		m.mine = m.hall.Occupancy(m.me)
	}
}

// offerLine offers to continue a match, in the lobby only; empty if there is
// none.
func (m *Model) offerLine() string {
	s, here := m.screen.(*lobbyScreen)
	if !here || s.choosing || m.mine == lobby.NoSeat {
		return ""
	}
	t := looks()
	x := t.key.Render("x")
	wide := m.lang.Say("Your match is waiting: press %s to continue it.", x)
	if m.mine == lobby.UsedSeat {
		wide = m.lang.Say("You have a match in another session: press %s to continue it here.", x)
	}
	return m.fitting(t.warn.Render(wide), x+"  "+m.lang.Say("continue your match"))
}

// continueHere continues the person's match in this session, wherever it has
// been played.
func (m *Model) continueHere() tea.Cmd {
	seating := m.hall.Unfinished(m.me)
	if seating == nil {
		m.notice = m.lang.Say("You have no match to continue.")
		return nil
	}
	return m.sit(seating)
}

// riseAll leaves the seats that this session has.
func (m *Model) riseAll() {
	switch {
	case m.hot != nil:
		for _, g := range m.hot.games {
			g.rise()
		}
	case m.game != nil:
		m.game.rise()
	}
	m.game, m.hot = nil, nil
}

// toLobby goes back to the lobby, with a sentence to read there.
func (m *Model) toLobby(notice string) {
	m.riseAll()
	m.screen, m.notice = &lobbyScreen{}, notice
	m.mine = m.hall.Occupancy(m.me)
}

// updated takes in what has happened in the match.
func (m *Model) updated(msg updateMsg) tea.Cmd {
	if msg.game != m.game && !m.hot.has(msg.game) {
		return nil
	}
	if msg.err != nil {
		switch {
		case msg.err == live.ErrReplaced:
			m.toLobby("")
			if m.mine == lobby.NoSeat {
				m.notice = m.lang.Say("Your seat was taken over with its resume code.")
			}
		case msg.err == live.ErrEnded && msg.game == m.game && msg.game.last.View.Phase != match.Over:
			m.toLobby(m.sentence(msg.err)) // at another node, which knows no more of it
		}
		return nil
	}
	g := msg.game
	var ring tea.Cmd
	if g.calls(&g.last, &msg.update) {
		ring = m.ring()
	}
	g.take(msg.update)
	if msg.update.Refused != nil && g == m.game {
		m.notice = m.sentence(msg.update.Refused)
		if s, ok := m.screen.(*battleScreen); ok {
			s.helm.sent = false
		}
	}
	m.follow()
	var shown tea.Cmd
	if _, fights := m.screen.(*battleScreen); fights && g == m.game {
		shown = m.flashOf(msg.update.Events, boardsOf(g.side))
	}
	return tea.Batch(g.await(m.ctx), m.tick(), ring, shown)
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
			m.game.outcome = m.game.seating.Outcome()
			m.screen = &resultScreen{}
		}
	case v.Phase != match.Placing || v.Ready[m.game.side]:
		m.newcomer = false // whoever has placed a fleet knows enough
		if _, ok := m.screen.(*battleScreen); !ok {
			m.screen = newBattleScreen(v.Rules)
		}
	}
}
