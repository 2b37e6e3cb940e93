package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/speech"
	"broadside/words"
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
			m.toBots()
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
	forSeat // that another session uses
)

func (s *waitScreen) kind() waitKind {
	if to, _ := s.ticket.To(); to != nil {
		return forOne
	}
	if s.ticket.Code() != "" {
		return forRoom
	}
	if takes, _ := s.ticket.TakesOver(); takes {
		return forSeat
	}
	return forAnybody
}

func (s *waitScreen) draw(m *Model) []string {
	t := looks()
	heading, passed := m.lang.Say("Waiting for an opponent"), speech.Clock(time.Since(s.since).Truncate(time.Second))
	below := []string{
		m.lang.Say("You were here first, so you will defend first."),
		t.faint.Render(m.lang.Say("Nobody comes? Press b to call a bot in.")),
	}
	switch s.kind() {
	case forOne:
		to, until := s.ticket.To()
		heading, passed = m.lang.Say("Waiting for %s to answer", clean(to.Name, nameWidth)), speech.Clock(time.Until(until))
		below = []string{m.lang.Say("You have asked, so you will defend first.")}
	case forSeat:
		_, until := s.ticket.TakesOver()
		heading, passed = m.lang.Say("Another session uses this seat"), speech.Clock(time.Until(until))
		below = []string{m.lang.Say("You get it unless its player refuses in time.")}
	case forRoom:
		heading = m.lang.Say("Your room is open: %s", s.ticket.Code())
		below = []string{
			m.lang.Say("Tell somebody the code: they press m in the lobby, or run"),
			t.key.Render("ssh -t HOST join " + s.ticket.Code()),
			m.lang.Say("You will defend first."),
		}
	}
	lines := []string{
		"",
		t.strong.Render(heading),
		"",
		m.spinner(time.Since(s.since), time.Second) + passed,
		"",
		WithStakes(m.lang, speech.Rules(m.lang, s.ticket.Rules()), s.ticket.Stakes()),
		m.lang.Say("clock %s", speech.ClockName(m.lang, s.ticket.Rules().Clock)),
		"",
	}
	return m.middle(append(lines, below...)...)
}

func (s *waitScreen) hints(*Model) []words.Text {
	if s.kind() != forAnybody {
		return []words.Text{"esc", "take it back"}
	}
	return []words.Text{"b", "call a bot in", "esc", "back"}
}
