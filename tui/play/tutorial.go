package play

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/term"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/component"
	"broadside/tui/format"
)

// tutorial is a short match for new players: two ships on a small board, without an
// opponent.
type tutorial struct {
	*component.Env
	boards component.Boards
	typing component.CellInput
	click  component.Click
	at     match.Cell
	chart  match.Chart
	last   match.Shot
}

// tutorialFleet is the hidden fleet. The initial cursor position is a hit.
var tutorialFleet = match.Layout{
	{Stern: match.At(1, 2), Heading: match.East, Length: 3},
	{Stern: match.At(5, 4), Heading: match.South, Length: 2},
}

// NewTutorial returns the tutorial.
func NewTutorial(env *component.Env) component.Screen {
	rules := match.Rules{
		Name: "custom", Size: 6, Contact: match.TouchCorners,
		Fleet: []match.Class{{Name: "cruiser", Length: 3}, {Name: "destroyer", Length: 2}},
	}
	return &tutorial{Env: env, at: center(rules), chart: match.NewChart(rules)}
}

var tutorialKeys = struct{ done, back key.Binding }{
	done: component.Bind("enter", "lobby", "enter space"), back: component.Bind("esc", "lobby", "esc q"),
}

func (s *tutorial) over() bool { return s.chart.ShipsLeft() == 0 }

func (s *tutorial) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		s.press(msg)
	case component.Mouse:
		if _, at, ok := s.boards.Cell(msg); ok && msg.Action == component.MousePress && !s.over() {
			s.typing.Clear()
			if s.click.Press(&s.at, at) {
				s.fire()
			}
		}
	}
	return nil
}

func (s *tutorial) press(msg tea.KeyPressMsg) {
	if key.Matches(msg, tutorialKeys.back) || s.over() && key.Matches(msg, tutorialKeys.done) {
		s.Newcomer = false
		s.Home("")
		return
	}
	if s.over() {
		return
	}
	if at, ok := s.typing.Key(msg.String(), s.at, s.chart.Rules); ok {
		s.at, s.click.Aimed = at, true
		return
	}
	if key.Matches(msg, battleKeys.fire) && s.typing.Accept(s.Env, s.chart.Rules) {
		s.fire()
	}
}

// fire shoots at the cell under the cursor, or shows why it cannot.
func (s *tutorial) fire() {
	switch s.chart.At(s.at) {
	case match.Unknown:
	case match.Deduced:
		s.Notice = s.Lang.Text("x-must-be-water-beside-sentence", s.at.String())
		return
	default:
		s.Notice = s.Lang.Text("you-have-shot-at-x-sentence", s.at.String())
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

// lesson returns an explanation of the last shot.
func (s *tutorial) lesson() i18n.Key {
	switch s.last.Result {
	case match.Water:
		return "water-in-a-match-it"
	case match.Hit:
		return "a-hit-ships-are-straight"
	case match.Sunk:
		return "sunk-adjacent-cells-must-be"
	case match.LastSunk:
		return "all-ships-are-sunk-you"
	}
	return "two-ships-3-and-2"
}

func (s *tutorial) View(size component.Size) component.View {
	status := term.Good.Render(s.Lang.Text("you-have-won-capitals"))
	at := board.Nowhere
	if !s.over() {
		at = s.at
		status = s.typing.Target(s.Lang, &s.chart, s.at)
		if typed := s.typing.View(s.Lang); typed != "" {
			status += "  " + typed
		}
	}
	chart := board.Enemy(&s.chart, at, s.last)
	b := board.Panel{Heading: s.Lang.Text("first-shots"), Board: chart, Below: phrase.Afloat(s.Lang, &s.chart)}
	if size.Low() {
		b.Heading, b.Below = b.Below, ""
	}
	lesson := s.Lang.Text(s.lesson())
	v := s.boards.View(size, board.Scene{Status: status, Panels: []board.Panel{b}, Text: format.Wrap(lesson, min(size.Width, 60)), Brief: lesson})
	v.Mouse = true
	return v
}

func (s *tutorial) Bindings() []key.Binding {
	if s.over() {
		return []key.Binding{tutorialKeys.done}
	}
	return []key.Binding{battleKeys.aim, battleKeys.cell, battleKeys.fire, component.Help, tutorialKeys.back}
}
