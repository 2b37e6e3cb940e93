package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/tui/format"
)

// waitScreen is shown while the player's offer is open.
type waitScreen struct{ offer session.Offer }

func (s *waitScreen) key(m *Model, key string) tea.Cmd {
	switch key {
	case "esc", "q", "backspace", "ctrl+c":
		if m.withdraw() {
			m.toLobby("")
		}
	case "b":
		if s.kind() == forAnybody && m.withdraw() {
			m.toBots()
		}
	}
	return nil
}

// withdraw takes the player's offer back and reports whether it was in time.
func (m *Model) withdraw() bool {
	ok, err := session.Ask(m.ctx, m.own, session.Cancel{})
	m.sync()
	return ok || err != nil // without an offer there is nothing to wait for
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
	if s.offer.To != nil {
		return forOne
	}
	if s.offer.Code != "" {
		return forRoom
	}
	if s.offer.TakesOver {
		return forSeat
	}
	return forAnybody
}

func (s *waitScreen) draw(m *Model) []string {
	t := looks()
	heading, passed := m.lang.Say("Waiting for an opponent"), phrase.Clock(time.Since(s.offer.Since).Truncate(time.Second))
	below := []string{
		m.lang.Say("You were here first, so you will defend first."),
		t.faint.Render(m.lang.Say("Nobody comes? Press b to call a bot in.")),
	}
	switch s.kind() {
	case forOne:
		to, until := s.offer.To, s.offer.Until
		heading, passed = m.lang.Say("Waiting for %s to answer", format.Name(to.Name)), phrase.Clock(time.Until(until))
		below = []string{m.lang.Say("You have asked, so you will defend first.")}
	case forSeat:
		heading, passed = m.lang.Say("Another session uses this seat"), phrase.Clock(time.Until(s.offer.Until))
		below = []string{m.lang.Say("You get it unless its player refuses in time.")}
	case forRoom:
		heading = m.lang.Say("Your room is open: %s", s.offer.Code)
		below = []string{
			m.lang.Say("Tell somebody the code: they press m in the lobby, or run"),
			t.key.Render("ssh -t HOST join " + s.offer.Code),
			m.lang.Say("You will defend first."),
		}
	}
	lines := []string{
		"",
		t.strong.Render(heading),
		"",
		m.spinner(time.Since(s.offer.Since), time.Second) + passed,
		"",
		WithStakes(m.lang, phrase.Rules(m.lang, s.offer.Rules), s.offer.Stakes),
		m.lang.Say("clock %s", phrase.ClockName(m.lang, s.offer.Rules.Clock)),
		"",
	}
	return format.Middle(m.width, append(lines, below...)...)
}

func (s *waitScreen) hints(*Model) []i18n.Text {
	if s.kind() != forAnybody {
		return []i18n.Text{"esc", "take it back"}
	}
	return []i18n.Text{"b", "call a bot in", "esc", "back"}
}
