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
func (p *placementPage) handleMouse(msg widget.MouseEvent) {
	_, at, on := p.boards.HighlightCell(msg)
	if p.draft.layout == nil || p.nameInput != nil {
		return
	}
	p.draft.aim.ClearInput()
	switch msg.Action {
	case widget.MousePress:
		if on {
			p.grabShip(at)
		}
	case widget.MouseMove:
		if on && !p.draft.isComplete() {
			p.draft.aim.Cursor = at
		}
	case widget.MouseDrag:
		if on && p.drag.active {
			last := p.draft.rules.Size - 1
			p.draft.aim.Cursor = match.NewCell(max(0, min(int(at.X)-p.drag.dx, last)), max(0, min(int(at.Y)-p.drag.dy, last)))
		}
	case widget.MouseRelease:
		p.dropDraggedShip()
	case widget.MouseRotate:
		p.turnShip(at, on)
	}
}

// grabShip picks up the ship at a cell, or moves the selected ship there.
func (p *placementPage) grabShip(at match.Cell) {
	i := shipIndexAt(p.draft.layout, at)
	if i != noShip {
		ship := p.draft.layout[i]
		p.drag = dragging{active: true, origin: ship, dx: int(at.X - ship.Stern.X), dy: int(at.Y - ship.Stern.Y)}
		p.draft.pickUpShip(i)
	} else if !p.draft.isComplete() {
		p.draft.aim.Cursor, p.drag = at, dragging{active: true}
	}
}

// dropDraggedShip places the dragged ship at the pointer. If that position is invalid, the ship returns to
// where it was.
func (p *placementPage) dropDraggedShip() {
	held := p.drag
	p.drag = dragging{}
	if !held.active || p.draft.isComplete() {
		return
	}
	hand := p.draft.selected
	p.placeOrFinish()
	if p.draft.layout[hand].Length == 0 && held.origin.Length > 0 {
		why := p.Notice
		p.draft.aim.Cursor, p.draft.heading = held.origin.Stern, held.origin.Heading
		p.placeOrFinish()
		p.Notice = why
	}
}

// turnShip turns the selected ship or, if there is none, the ship under the pointer.
func (p *placementPage) turnShip(at match.Cell, isOnBoard bool) {
	if !p.draft.isComplete() {
		before := p.draft.heading
		p.draft.turnShip()
		p.drag.dx, p.drag.dy = p.drag.dy, p.drag.dx
		if before.Rotate(1) == p.draft.heading {
			p.drag.dx = -p.drag.dx
		}
		return
	}
	i := shipIndexAt(p.draft.layout, at)
	if !isOnBoard || i == noShip {
		return
	}
	ship := p.draft.layout[i]
	ship.Heading = p.draft.nextHeading(ship.Heading)
	turned, err := p.draft.layoutWith(i, ship)
	if err != nil {
		p.Notice = p.ErrorText(err)
		return
	}
	p.draft.layout = turned
}
