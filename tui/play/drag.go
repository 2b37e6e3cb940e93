package play

import (
	"broadside/match"
	"broadside/tui/component"
)

// dragging is a ship that is held with the mouse.
type dragging struct {
	on      bool
	from    match.Ship // where it was taken from; no length if it was in hand
	dx, dy  int        // from the ship's stern to the cell it is held at
	carried bool       // it has been moved since
}

// mouse places ships: the one in hand follows the mouse, a click puts it down, one
// that lies on the board can be dragged elsewhere, and the wheel turns it.
func (s *place) mouse(msg component.Mouse) {
	_, at, on := s.boards.Cell(msg)
	if s.layout == nil || s.leaving.asked || s.ends.choosing || s.name != nil {
		return
	}
	s.typing.Clear()
	switch msg.Action {
	case component.MousePress:
		if on {
			s.grab(at)
		}
	case component.MouseMove:
		if on && !s.done() {
			s.at = at
		}
	case component.MouseDrag:
		if on && s.drag.on {
			to := s.nearest(int(at.X)-s.drag.dx, int(at.Y)-s.drag.dy)
			s.drag.carried = s.drag.carried || to != s.at
			s.at = to
		}
	case component.MouseRelease:
		s.letGo()
	case component.MouseTurn:
		s.turnAt(at, on)
	}
}

// grab takes the ship at a cell in hand, or moves the one in hand there.
func (s *place) grab(at match.Cell) {
	if i := s.shipAt(at); i != none {
		ship := s.layout[i]
		s.drag = dragging{on: true, from: ship, dx: int(at.X - ship.Stern.X), dy: int(at.Y - ship.Stern.Y)}
		s.pickUp(i)
	} else if !s.done() {
		s.at, s.drag = at, dragging{on: true}
	}
}

// letGo puts down the ship that the mouse holds. One that cannot lie there goes back to
// where it was.
func (s *place) letGo() {
	held := s.drag
	s.drag = dragging{}
	if !held.on || s.done() {
		return
	}
	hand := s.hand
	s.drop()
	if s.layout[hand].Length == 0 && held.from.Length > 0 {
		why := s.Notice
		s.at, s.heading = held.from.Stern, held.from.Heading
		s.drop()
		s.Notice = why
	}
}

// turnAt turns the ship in hand or, if there is none, the ship that the mouse is on.
func (s *place) turnAt(at match.Cell, on bool) {
	if !s.done() {
		before := s.heading
		s.turn()
		if s.drag.dx, s.drag.dy = s.drag.dy, s.drag.dx; before.Turn(1) == s.heading {
			s.drag.dx = -s.drag.dx
		}
		return
	}
	i := s.shipAt(at)
	if !on || i == none {
		return
	}
	ship := s.layout[i]
	ship.Heading = s.turned(ship.Heading)
	turned, err := s.with(i, ship)
	if err != nil {
		s.Notice = s.ErrorText(err)
		return
	}
	s.layout = turned
}
