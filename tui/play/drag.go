package play

import (
	"broadside/match"
	"broadside/tui/widget"
)

// dragging is a ship that the player is dragging with the mouse. The origin is its position before, without
// a length if it was not placed. dx and dy are the distance from its stern to the pointer.
type dragging struct {
	active bool
	origin match.Ship
	dx, dy int
}

// handleMouse places ships with the mouse. The selected ship follows the pointer, a click places it, a placed
// ship can be dragged, and the wheel turns a ship.
func (s *place) handleMouse(msg widget.MouseEvent) {
	_, at, on := s.boards.HighlightCell(msg)
	if s.draft.layout == nil || s.nameInput != nil {
		return
	}
	s.draft.aim.ClearInput()
	switch msg.Action {
	case widget.MousePress:
		if on {
			s.grabShip(at)
		}
	case widget.MouseMove:
		if on && !s.draft.isComplete() {
			s.draft.aim.Cursor = at
		}
	case widget.MouseDrag:
		if on && s.drag.active {
			last := s.draft.rules.Size - 1
			s.draft.aim.Cursor = match.NewCell(max(0, min(int(at.X)-s.drag.dx, last)), max(0, min(int(at.Y)-s.drag.dy, last)))
		}
	case widget.MouseRelease:
		s.dropDraggedShip()
	case widget.MouseRotate:
		s.turnShip(at, on)
	}
}

// grabShip picks up the ship at a cell, or moves the selected ship there.
func (s *place) grabShip(at match.Cell) {
	i := shipIndexAt(s.draft.layout, at)
	if i != noShip {
		ship := s.draft.layout[i]
		s.drag = dragging{active: true, origin: ship, dx: int(at.X - ship.Stern.X), dy: int(at.Y - ship.Stern.Y)}
		s.draft.pickUpShip(i)
	} else if !s.draft.isComplete() {
		s.draft.aim.Cursor, s.drag = at, dragging{active: true}
	}
}

// dropDraggedShip places the dragged ship at the pointer. If that position is invalid, the ship returns to
// where it was.
func (s *place) dropDraggedShip() {
	held := s.drag
	s.drag = dragging{}
	if !held.active || s.draft.isComplete() {
		return
	}
	hand := s.draft.selected
	s.placeOrFinish()
	if s.draft.layout[hand].Length == 0 && held.origin.Length > 0 {
		why := s.Notice
		s.draft.aim.Cursor, s.draft.heading = held.origin.Stern, held.origin.Heading
		s.placeOrFinish()
		s.Notice = why
	}
}

// turnShip turns the selected ship or, if there is none, the ship under the pointer.
func (s *place) turnShip(at match.Cell, isOnBoard bool) {
	if !s.draft.isComplete() {
		before := s.draft.heading
		s.draft.turnShip()
		s.drag.dx, s.drag.dy = s.drag.dy, s.drag.dx
		if before.Rotate(1) == s.draft.heading {
			s.drag.dx = -s.drag.dx
		}
		return
	}
	i := shipIndexAt(s.draft.layout, at)
	if !isOnBoard || i == noShip {
		return
	}
	ship := s.draft.layout[i]
	ship.Heading = s.draft.nextHeading(ship.Heading)
	turned, err := s.draft.layoutWith(i, ship)
	if err != nil {
		s.Notice = s.ErrorText(err)
		return
	}
	s.draft.layout = turned
}
