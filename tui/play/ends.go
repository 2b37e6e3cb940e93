package play

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"broadside/internal/narrate"
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// ends places a ship by bow and stern: the player names the bow and then chooses one
// of the possible sterns.
type ends struct {
	on       bool         // this mode is active
	choosing bool         // the bow has been named
	bow      match.Cell   // valid while choosing
	ships    []match.Ship // the possible positions, while choosing
	i        int          // index of the position shown
}

var endsKeys = struct{ stern, back key.Binding }{
	stern: widget.Bind("←→", "the-stern", "left right"), back: widget.Bind("esc", "another-bow", "esc"),
}

// endsKey handles the keys for choosing a stern, and reports whether it handled the
// key.
func (s *place) endsKey(key string) bool {
	e := &s.ends
	if !e.choosing {
		if e.on && key == "enter" && !s.done() {
			if s.typing.Accept(s.Env, s.rules) {
				s.nameBow()
			}
			return true
		}
		return false
	}
	switch key {
	case "right", "down", "tab", "space", "r":
		s.typing.Clear()
		s.chooseStern(e.i + 1)
	case "left", "up":
		s.typing.Clear()
		s.chooseStern(e.i + len(e.ships) - 1)
	case "enter":
		if typed := s.typing.Text; typed != "" && s.sternNamed(typed) < 0 {
			s.Notice = s.Lang.Text("the-stern-cannot-be-at", typed, s.sternList())
			break
		}
		e.choosing = false
		s.typing.Clear()
		s.drop()
	case "esc", "backspace":
		if s.typing.Text != "" && key == "backspace" {
			s.typeStern(key)
			break
		}
		e.choosing, s.at = false, e.bow
		s.typing.Clear()
	case "q", "ctrl+c":
		return false
	default:
		s.typeStern(key)
	}
	return true
}

// nameBow sets the bow to the cell under the cursor.
func (s *place) nameBow() {
	e := &s.ends
	e.ships, e.bow = s.sterns(s.at), s.at
	if len(e.ships) == 0 {
		s.Notice = s.Lang.Text("the-ship-does-not-fit", s.at)
		return
	}
	e.choosing = true
	s.chooseStern(0)
}

// chooseStern shows the ship with stern i.
func (s *place) chooseStern(i int) {
	e := &s.ends
	e.i = i % len(e.ships)
	s.at, s.heading = e.ships[e.i].Stern, e.ships[e.i].Heading
}

// typeStern handles a key that types a stern, and shows the ship if the stern is
// valid.
func (s *place) typeStern(key string) {
	t := &s.typing
	switch {
	case key == "backspace":
		t.Text = t.Text[:len(t.Text)-1]
	case len(key) != 1:
		return
	case widget.IsDigit(key):
		t.Digit(key, s.at)
	case widget.IsLetter(key):
		t.Text = strings.ToUpper(key)
	}
	if i := s.sternNamed(t.Text); i >= 0 {
		s.chooseStern(i)
	}
}

// sternNamed returns the index of the position whose stern is at the named cell, or
// -1.
func (s *place) sternNamed(name string) int {
	at, err := match.ParseCell(name)
	if err != nil {
		return -1
	}
	return slices.IndexFunc(s.ends.ships, func(ship match.Ship) bool { return ship.Stern == at })
}

// sternList returns the possible sterns.
func (s *place) sternList() string {
	var names []string
	for _, ship := range s.ends.ships {
		names = append(names, ship.Stern.String())
	}
	return strings.Join(names, ", ")
}

// endsLines returns instructions for the next step, in lines of at most width.
func (s *place) endsLines(width int) []string {
	if !s.ends.choosing {
		ship := narrate.Ship(s.Lang, s.rules.Fleet[s.hand].Name)
		return text.Wrap(s.Lang.Text("where-is-the-bow-of", ship), width)
	}
	var choices []string
	for i, ship := range s.ends.ships {
		c := ship.Stern.String()
		if i == s.ends.i {
			c = term.Strong.Render("[" + c + "]")
		}
		choices = append(choices, c)
	}
	return append(text.Wrap(s.Lang.Text("the-bow-is-at-x", s.ends.bow), width), "  "+strings.Join(choices, "  "))
}
