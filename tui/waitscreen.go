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
		if s.kind() == forAnybody && s.ticket.Cancel() {
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

// waitKind is for whom an offer is.
type waitKind uint8

const (
	forAnybody waitKind = iota
	forOne
	forRoom
)

func (s *waitScreen) kind() waitKind {
	if to, _ := s.ticket.To(); to != nil {
		return forOne
	}
	if s.ticket.Code() != "" {
		return forRoom
	}
	return forAnybody
}

func (s *waitScreen) draw(*Model) []string {
	t := looks()
	const width = 60
	heading, passed := "Waiting for an opponent", clock(time.Since(s.since).Truncate(time.Second))
	below := []string{"You were here first, so you will defend first.", t.faint.Render("Nobody comes? Press b to call a bot in.")}
	switch s.kind() {
	case forOne:
		to, until := s.ticket.To()
		heading, passed = "Waiting for "+clean(to.Name, nameWidth)+" to answer", clock(time.Until(until))
		below = []string{"You have asked, so you will defend first."}
	case forRoom:
		heading = "Your room is open: " + s.ticket.Code()
		below = []string{
			"Tell somebody the code: they press m in the lobby, or run",
			t.key.Render("ssh -t HOST join " + s.ticket.Code()),
			"You will defend first.",
		}
	}
	lines := []string{
		"",
		centred(t.strong.Render(heading), width),
		"",
		centred(passed, width),
		"",
		centred(rulesLine(s.ticket.Rules()), width),
		centred("clock "+clockName(s.ticket.Rules().Clock), width),
		"",
	}
	for _, l := range below {
		lines = append(lines, centred(l, width))
	}
	return lines
}

func (s *waitScreen) hints(*Model) []string {
	if s.kind() != forAnybody {
		return []string{"esc", "take it back"}
	}
	return []string{"b", "call a bot in", "esc", "back"}
}
