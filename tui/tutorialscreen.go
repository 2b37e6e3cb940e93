package tui

import (
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/format"
)

// tutorialScreen is a match of a few shots, for who has never played: two ships
// on a small board that nobody defends. Any time esc leaves it.
type tutorialScreen struct {
	typing typing
	click  click
	at     match.Cell
	chart  match.Chart
	last   match.Shot
}

// tutorialFleet is what is hidden there. The first cell pointed at is a hit.
var tutorialFleet = match.Layout{
	{Stern: match.At(1, 2), Heading: match.East, Length: 3},
	{Stern: match.At(5, 4), Heading: match.South, Length: 2},
}

func newTutorialScreen() *tutorialScreen {
	rules := match.Rules{
		Name: customName, Size: 6, Contact: match.TouchCorners,
		Fleet: []match.Class{{Name: "cruiser", Length: 3}, {Name: "destroyer", Length: 2}},
	}
	return &tutorialScreen{at: match.At(2, 2), chart: match.NewChart(rules)}
}

func (s *tutorialScreen) over() bool { return s.chart.ShipsLeft() == 0 }

func (s *tutorialScreen) key(m *Model, key string) tea.Cmd {
	switch key {
	case "ctrl+c":
		return tea.Quit
	case "esc", "q":
		m.newcomer = false
		m.toLobby("")
		return nil
	}
	if s.over() {
		if key == "enter" || key == "space" {
			m.newcomer = false
			m.toLobby("")
		}
		return nil
	}
	if at, ok := s.typing.key(key, s.at, s.chart.Rules); ok {
		s.at, s.click.aimed = at, true
		return nil
	}
	if (key == "enter" || key == "space") && s.typing.chosen(m, s.chart.Rules) {
		s.fire(m)
	}
	return nil
}

// fire shoots at the cell under the cursor, or says why not.
func (s *tutorialScreen) fire(m *Model) {
	switch s.chart.At(s.at) {
	case match.Unknown:
	case match.Deduced:
		m.notice = m.lang.Say("%s must be water, beside a sunk ship: choose another cell.", s.at.String())
		return
	default:
		m.notice = m.lang.Say("You have shot at %s already: choose another cell.", s.at.String())
		return
	}
	result := match.Water
	for _, ship := range tutorialFleet {
		cells := ship.Cells()
		if !cells.Has(s.at) {
			continue
		}
		result = match.Hit
		if left := cells.Minus(s.chart.Hits); left.Len() == 1 {
			result = match.Sunk
			if s.chart.ShipsLeft() == 1 {
				result = match.LastSunk
			}
		}
	}
	s.chart.Record(s.at, result)
	s.last = match.Shot{Cell: s.at, Result: result, Number: s.last.Number + 1}
}

// lesson is what there is to learn from the last shot.
func (s *tutorialScreen) lesson() i18n.Text {
	switch s.last.Result {
	case match.Water:
		return "Water. In a match it would be the enemy's turn now: you shoot in turns."
	case match.Hit:
		return "A hit. Ships lie straight: the rest is left, right, above or below."
	case match.Sunk:
		return "Sunk! What is beside it must be water, and is marked: save those shots."
	case match.LastSunk:
		return "All ships are sunk: you have won. Now place a fleet of your own and play."
	}
	return "Two ships lie here, of 3 and 2 cells. Arrows aim, or type a cell such as C3."
}

func (s *tutorialScreen) draw(m *Model) []string {
	t := looks()
	status := t.good.Render(m.lang.Say("YOU HAVE WON"))
	at := board.Nowhere
	if !s.over() {
		at = s.at
		status = m.aims(&s.chart, s.at, &s.typing)
		if typed := s.typing.shown(m.lang); typed != "" {
			status += "  " + typed
		}
	}
	chart := board.Enemy(&s.chart, at, s.last)
	m.hovered(0, chart)
	b := board.Panel{Heading: m.lang.Say("FIRST SHOTS"), Board: chart, Below: phrase.Afloat(m.lang, &s.chart)}
	if m.height < roomyHeight {
		b.Heading, b.Below = b.Below, ""
	}
	lesson := m.lang.Say(s.lesson())
	return m.showBoards(board.Scene{Status: status, Panels: []board.Panel{b}, Text: format.Wrap(lesson, min(m.width, 60)), Brief: lesson})
}

func (s *tutorialScreen) hints(*Model) []i18n.Text {
	if s.over() {
		return []i18n.Text{"enter", "lobby"}
	}
	return []i18n.Text{"↑↓←→ hjkl", "aim", "B7", "name a cell", "enter", "fire", "?", "help", "esc", "lobby"}
}
