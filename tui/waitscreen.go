package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/bots"
	"broadside/lobby"
)

// waitScreen is shown while nobody else wants to play.
type waitScreen struct {
	ticket *lobby.Ticket
	since  time.Time
}

func (s *waitScreen) key(m *Model, key string) tea.Cmd {
	switch key {
	case "esc", "q", "backspace", "ctrl+c":
		if s.ticket.Cancel() {
			m.toLobby("")
		}
	case "b":
		if s.ticket.Cancel() {
			m.screen = &lobbyScreen{choosing: true, bot: len(bots.Offered(m.rules)) - 1}
		}
	}
	return nil
}

// giveUp takes the wish back, or leaves the match that has come of it.
func (s *waitScreen) giveUp() {
	if s.ticket.Cancel() {
		return
	}
	select {
	case seating := <-s.ticket.Seated():
		if seating != nil {
			seating.Seat.Detach(seating.Seat.Attach())
		}
	default:
	}
}

func (s *waitScreen) draw(m *Model) []string {
	t := looks()
	const width = 50
	return []string{
		"",
		centred(t.strong.Render("Waiting for an opponent"), width),
		"",
		centred(clock(time.Since(s.since).Truncate(time.Second)), width),
		"",
		centred(rulesLine(m.rules), width),
		centred("clock "+clockName(m.rules.Clock), width),
		"",
		centred("You were here first, so you will defend first.", width),
		centred(t.faint.Render("Nobody comes? Press b to call a bot in."), width),
	}
}

func (s *waitScreen) hints(*Model) []string { return []string{"b", "call a bot in", "esc", "back"} }
