package play

import (
	"broadside/match"
	"broadside/tui/widget"
)

// dragging is the state of dragging a ship with the mouse.
type dragging struct {
	on     bool
	from   match.Ship // the original position; no length if the ship was not placed
	dx, dy int        // from the ship's stern to the cell under the pointer
}

// mouse handles placing ships with the mouse. The selected ship follows the pointer, a
// click places it, a placed ship can be dragged and the wheel turns a ship.
func (s *place) mouse(msg widget.Mouse) {
	_, at, on := s.boards.Cell(msg)
	if s.draft.layout == nil || s.name != nil {
		return
	}
	s.draft.aim.Clear()
	switch msg.Action {
	case widget.MousePress:
		if on {
			s.grab(at)
		}
	case widget.MouseMove:
		if on && !s.draft.done() {
			s.draft.aim.At = at
		}
	case widget.MouseDrag:
		if on && s.drag.on {
			last := s.draft.rules.Size - 1
			s.draft.aim.At = match.NewCell(max(0, min(int(at.X)-s.drag.dx, last)), max(0, min(int(at.Y)-s.drag.dy, last)))
		}
	case widget.MouseRelease:
		s.letGo()
	case widget.MouseTurn:
		s.turnAt(at, on)
	}
}

// grab picks up the ship at a cell, or moves the selected ship there.
func (s *place) grab(at match.Cell) {
	i := shipAt(s.draft.layout, at)
	if i != none {
		ship := s.draft.layout[i]
		s.drag = dragging{on: true, from: ship, dx: int(at.X - ship.Stern.X), dy: int(at.Y - ship.Stern.Y)}
		s.draft.pickUp(i)
	} else if !s.draft.done() {
		s.draft.aim.At, s.drag = at, dragging{on: true}
	}
}

// letGo drops the dragged ship. If the new position is invalid, the ship returns to
// its original position.
func (s *place) letGo() {
	held := s.drag
	s.drag = dragging{}
	if !held.on || s.draft.done() {
		return
	}
	hand := s.draft.hand
	s.drop()
	if s.draft.layout[hand].Length == 0 && held.from.Length > 0 {
		why := s.Notice
		s.draft.aim.At, s.draft.heading = held.from.Stern, held.from.Heading
		s.drop()
		s.Notice = why
	}
}

// turnAt turns the selected ship or, if there is none, the ship under the pointer.
func (s *place) turnAt(at match.Cell, on bool) {
	if !s.draft.done() {
		before := s.draft.heading
		s.draft.turn()
		s.drag.dx, s.drag.dy = s.drag.dy, s.drag.dx
		if before.Turn(1) == s.draft.heading {
			s.drag.dx = -s.drag.dx
		}
		return
	}
	i := shipAt(s.draft.layout, at)
	if !on || i == none {
		return
	}
	ship := s.draft.layout[i]
	ship.Heading = s.draft.turned(ship.Heading)
	turned, err := s.draft.with(i, ship)
	if err != nil {
		s.Notice = s.ErrorText(err)
		return
	}
	s.draft.layout = turned
}
