package tui

import (
	"slices"
	"strings"

	"broadside/internal/i18n/phrase"
	"broadside/match"
	"broadside/tui/format"
)

// ends is placing a ship by its two ends: first its bow is named, then its
// stern is chosen from the cells where it can lie.
type ends struct {
	on       bool         // ships are placed this way
	choosing bool         // the bow is named
	bow      match.Cell   // once it is
	ships    []match.Ship // the ways the ship can lie then
	i        int          // the one shown
}

// toggleEnds changes between the two ways of placing.
func (s *placeScreen) toggleEnds() { s.ends = ends{on: !s.ends.on} }

// endsKey handles the keys that choose a stern. It returns false for others.
func (s *placeScreen) endsKey(m *Model, key string) bool {
	e := &s.ends
	if !e.choosing {
		if e.on && key == "enter" && s.hand < len(s.layout) {
			if s.typing.chosen(m, s.rules) {
				s.nameBow(m)
			}
			return true
		}
		return false
	}
	switch key {
	case "right", "down", "tab", "space", "r":
		s.typing.clear()
		s.chooseStern(e.i + 1)
	case "left", "up":
		s.typing.clear()
		s.chooseStern(e.i + len(e.ships) - 1)
	case "enter":
		if typed := s.typing.text; typed != "" && s.sternNamed(typed) < 0 {
			m.notice = m.lang.Say("The stern cannot be at %s. It can be at %s.", typed, s.sternList())
			break
		}
		e.choosing = false
		s.typing.clear()
		s.drop(m)
	case "esc", "backspace":
		if s.typing.text != "" && key == "backspace" {
			s.typeStern(key)
			break
		}
		e.choosing, s.at = false, e.bow
		s.typing.clear()
	case "q", "ctrl+c":
		return false
	default:
		s.typeStern(key)
	}
	return true
}

// nameBow names the cell under the cursor as the bow's.
func (s *placeScreen) nameBow(m *Model) {
	e := &s.ends
	e.ships, e.bow = s.sterns(s.at), s.at
	if len(e.ships) == 0 {
		m.notice = m.lang.Say("With its bow at %v, it can lie nowhere: name another cell.", s.at)
		return
	}
	e.choosing = true
	s.chooseStern(0)
}

// sterns are the ways in which the ship in hand can lie with its bow at a cell.
func (s *placeScreen) sterns(bow match.Cell) []match.Ship {
	var ships []match.Ship
	length := s.rules.Fleet[s.hand].Length
	for _, h := range [...]match.Heading{match.West, match.North, match.East, match.South} {
		ship := match.Ship{Stern: bow.Step(h.Turn(2), length-1), Heading: h, Length: length}
		trial := append(match.Layout(nil), s.layout...)
		trial[s.hand] = ship
		if s.rules.CheckShip(trial, s.hand) == nil {
			ships = append(ships, ship)
		}
	}
	return ships
}

// chooseStern shows one of the ways.
func (s *placeScreen) chooseStern(i int) {
	e := &s.ends
	e.i = i % len(e.ships)
	s.at, s.heading = e.ships[e.i].Stern, e.ships[e.i].Heading
}

// typeStern takes a key that types a stern. The stern that is named is shown.
func (s *placeScreen) typeStern(key string) {
	t := &s.typing
	switch {
	case key == "backspace":
		t.text = t.text[:len(t.text)-1]
	case len(key) != 1:
		return
	case key >= "0" && key <= "9":
		t.digit(key, s.at)
	case strings.ToUpper(key) >= "A" && strings.ToUpper(key) <= "Z":
		t.text = strings.ToUpper(key)
	}
	if i := s.sternNamed(t.text); i >= 0 {
		s.chooseStern(i)
	}
}

// sternNamed is the number of the way in which the stern is at a named cell; -1
// if there is none.
func (s *placeScreen) sternNamed(name string) int {
	at, err := match.ParseCell(name)
	if err != nil {
		return -1
	}
	return slices.IndexFunc(s.ends.ships, func(ship match.Ship) bool { return ship.Stern == at })
}

// sternList is the cells to choose from.
func (s *placeScreen) sternList() string {
	var names []string
	for _, ship := range s.ends.ships {
		names = append(names, ship.Stern.String())
	}
	return strings.Join(names, ", ")
}

// endsLines say what to do next, in lines of at most width.
func (s *placeScreen) endsLines(m *Model, width int) []string {
	t := looks()
	if !s.ends.choosing {
		ship := phrase.Ship(m.lang, s.rules.Fleet[s.hand].Name)
		return format.Wrap(m.lang.Say("Where is the bow of this ship: %s? Press enter at its cell.", ship), width)
	}
	var choices []string
	for i, ship := range s.ends.ships {
		c := ship.Stern.String()
		if i == s.ends.i {
			c = t.strong.Render("[" + c + "]")
		}
		choices = append(choices, c)
	}
	return append(format.Wrap(m.lang.Say("The bow is at %v. Where is the stern?", s.ends.bow), width), "  "+strings.Join(choices, "  "))
}
