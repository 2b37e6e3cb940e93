package play

import (
	"strings"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/tui/widget"
)

// ends are the typed ends of a ship, such as "B7 B9". Before the space, the typed cell only
// moves the cursor.
type ends struct {
	bow    match.Cell
	ships  []match.Ship // the selected ship in its possible positions
	spaced bool         // a space follows the bow
	stern  string       // the text after it
}

// typedEnds returns the typed ends of the selected ship, or nil if the text does not start
// with a cell of the board.
func (s *place) typedEnds() *ends {
	name, stern, spaced := strings.Cut(s.draft.aim.Text, " ")
	bow, err := match.ParseCell(name)
	if err != nil || !s.draft.rules.Contains(bow) || s.draft.done() {
		return nil
	}
	return &ends{bow: bow, ships: s.draft.positions(bow), spaced: spaced, stern: stern}
}

// ship returns the ship between the ends, if its position is possible.
func (e *ends) ship() (match.Ship, bool) {
	stern, err := match.ParseCell(e.stern)
	for _, ship := range e.ships {
		if err == nil && ship.Stern == stern {
			return ship, true
		}
	}
	return match.Ship{}, false
}

// describe lists the possible sterns.
func (e *ends) describe(l i18n.Language) string {
	switch {
	case len(e.ships) == 0:
		return l.Text("The ship does not fit with its bow at %v: choose another cell.", e.bow)
	case !e.spaced:
		return l.Text("For the bow at %v, add a space and the stern: %s.", e.bow, e.sterns())
	}
	return l.Text("The bow is at %v. The stern can be at %s.", e.bow, e.sterns())
}

// sterns returns the cells of the possible sterns.
func (e *ends) sterns() string {
	var names []string
	for _, ship := range e.ships {
		names = append(names, ship.Stern.String())
	}
	return strings.Join(names, ", ")
}

// typeStern handles a key that types the stern, and reports whether it handled the key.
func (s *place) typeStern(key string) bool {
	e := s.typedEnds()
	if e == nil || !e.spaced {
		return false
	}
	digit := widget.IsDigit(key)
	if widget.IsLetter(key) && e.stern == "" || digit && len(e.stern) < widget.MaxCellName {
		s.draft.aim.Text += strings.ToUpper(key)
		return true
	}
	return digit
}

// acceptEnds moves the selected ship between the typed ends. If it cannot lie there, it shows
// a notice and returns false.
func (s *place) acceptEnds() bool {
	e := s.typedEnds()
	if e == nil || !e.spaced {
		return true
	}
	ship, ok := e.ship()
	switch {
	case ok:
		s.draft.aim.At, s.draft.heading = ship.Stern, ship.Heading
		s.draft.aim.Clear()
	case len(e.ships) == 0:
		s.Notice = e.describe(s.Lang)
	default:
		s.Notice = s.Lang.Text("The stern can't be at %s. It can be at %s.", e.stern, e.sterns())
	}
	return ok
}

// shownShip returns the selected ship where it is shown: between the typed ends, or at the
// cursor.
func (s *place) shownShip() (match.Ship, bool) {
	if s.draft.done() {
		return match.Ship{}, false
	}
	e := s.typedEnds()
	if e != nil && e.spaced {
		return e.ship()
	}
	return s.draft.inHand(s.draft.aim.At, s.draft.heading), true
}
