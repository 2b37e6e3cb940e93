package tui

import (
	tea "charm.land/bubbletea/v2"

	"broadside/match"
	"broadside/tui/board"
)

// pointed is something that the mouse does on a screen with boards.
type pointed struct {
	what mouseAct
	on   bool       // a cell of a board; the rest is only there then
	n    int        // the board
	at   match.Cell // the cell
}

// mouseAct is what a mouse can do.
type mouseAct uint8

const (
	mousePress   mouseAct = iota
	mouseRelease          // of the button that was pressed
	mouseMove             // with no button down
	mouseDrag             // with it down
	mouseTurn             // of the wheel, or a click of the right button
)

// mouser is a screen that heeds the mouse.
type mouser interface {
	mouse(m *Model, p pointed) tea.Cmd
}

// mouses tells whether the mouse does something now.
func (m *Model) mouses() (mouser, bool) {
	if !m.fits() || m.help || m.saying != nil || m.choice.NoMouse {
		return nil, false
	}
	s, ok := m.screen.(mouser)
	return s, ok
}

// mouse handles what the mouse does. Where it points is looked up in what was
// drawn last, for that is what the person has seen.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	s, ok := m.mouses()
	if !ok {
		return nil
	}
	e := msg.Mouse()
	var p pointed
	p.n, p.at, p.on = m.cellAt(e.X, e.Y)
	switch msg.(type) {
	case tea.MouseClickMsg:
		switch e.Button {
		case tea.MouseLeft:
			p.what = mousePress
		case tea.MouseRight:
			p.what = mouseTurn
		default:
			return nil
		}
		m.noteKey()
	case tea.MouseReleaseMsg:
		p.what = mouseRelease
	case tea.MouseWheelMsg:
		p.what = mouseTurn
	case tea.MouseMotionMsg:
		p.what = mouseMove
		if e.Button == tea.MouseLeft {
			p.what = mouseDrag
		}
	}
	m.hover = hover{m.screen, p.n, p.at}
	for _, b := range m.buttons {
		if p.what == mousePress && e.Y == m.top && e.X >= b.left && e.X < b.left+b.width {
			return m.screen.key(m, b.key)
		}
	}
	return s.mouse(m, p)
}

// cellAt is the cell at a place on the screen.
func (m *Model) cellAt(x, y int) (n int, at match.Cell, ok bool) {
	for _, s := range m.spots {
		if at, ok = s.Form.Cell(s.Window, x-s.Left, y-m.top-s.Top); ok {
			return s.Panel, at, true
		}
	}
	return 0, board.Nowhere, false
}

// click is how cells are shot at with the mouse: the first click aims, one more
// on the same cell fires. So nothing is fired by the click that brings a window
// to the front.
type click struct{ aimed bool }

// press handles a click on a cell and tells whether it fires.
func (c *click) press(at *match.Cell, on match.Cell) (fires bool) {
	fires = c.aimed && *at == on
	*at, c.aimed = on, true
	return fires
}

func (s *battleScreen) mouse(m *Model, p pointed) tea.Cmd {
	if p.what == mousePress && p.on && p.n == ownFleet && !s.leaving.asked && s.steers(m) {
		s.helm.click(m, p.at)
		return nil
	}
	if p.what == mousePress && p.on && p.n == enemyWaters && !s.leaving.asked {
		s.typing.clear()
		if s.click.press(&s.at, p.at) {
			s.fire(m)
		}
	}
	return nil
}

func (s *dailyScreen) mouse(m *Model, p pointed) tea.Cmd {
	if p.what == mousePress && p.on && s.read && !s.view.Done {
		s.typing.clear()
		if s.click.press(&s.at, p.at) {
			return s.fire(m)
		}
	}
	return nil
}

func (s *tutorialScreen) mouse(m *Model, p pointed) tea.Cmd {
	if p.what == mousePress && p.on && !s.over() {
		s.typing.clear()
		if s.click.press(&s.at, p.at) {
			s.fire(m)
		}
	}
	return nil
}

// dragging is a ship that is held with the mouse.
type dragging struct {
	on      bool
	from    match.Ship // where it was taken from; no length if it was in hand
	dx, dy  int        // from the ship's stern to the cell it is held at
	carried bool       // it has been moved since
}

// mouse places ships: the one in hand follows the mouse, a click puts it down,
// one that lies can be dragged elsewhere, and the wheel turns it.
func (s *placeScreen) mouse(m *Model, p pointed) tea.Cmd {
	if s.layout == nil || s.leaving.asked || s.ends.choosing || s.saved.naming {
		return nil
	}
	s.typing.clear()
	switch p.what {
	case mousePress:
		if p.on {
			s.grab(p.at)
		}
	case mouseMove:
		if p.on && s.hand < len(s.layout) {
			s.at = p.at
		}
	case mouseDrag:
		if p.on && s.drag.on {
			to := s.within(int(p.at.X)-s.drag.dx, int(p.at.Y)-s.drag.dy)
			s.drag.carried = s.drag.carried || to != s.at
			s.at = to
		}
	case mouseRelease:
		s.letGo(m)
	case mouseTurn:
		s.turnAt(m, p)
	}
	return nil
}

// grab takes the ship at a cell, or points the one in hand there.
func (s *placeScreen) grab(at match.Cell) {
	for i, ship := range s.layout {
		if cells := ship.Cells(); cells.Has(at) {
			s.drag = dragging{on: true, from: ship, dx: int(at.X - ship.Stern.X), dy: int(at.Y - ship.Stern.Y)}
			s.pickUp(i)
			return
		}
	}
	if s.hand < len(s.layout) {
		s.at, s.drag = at, dragging{on: true}
	}
}

// letGo puts the ship down that the mouse holds. One that cannot lie there goes
// back to where it was.
func (s *placeScreen) letGo(m *Model) {
	held := s.drag
	s.drag = dragging{}
	if !held.on || s.hand >= len(s.layout) {
		return
	}
	hand := s.hand
	s.drop(m)
	if s.layout[hand].Length == 0 && held.from.Length > 0 {
		why := m.notice
		s.at, s.heading = held.from.Stern, held.from.Heading
		s.drop(m)
		m.notice = why
	}
}

// turnAt turns the ship in hand or, without one, the ship that the mouse is on.
func (s *placeScreen) turnAt(m *Model, p pointed) {
	if s.hand < len(s.layout) {
		before := s.heading
		s.turn()
		if s.drag.dx, s.drag.dy = s.drag.dy, s.drag.dx; before.Turn(1) == s.heading {
			s.drag.dx = -s.drag.dx
		}
		return
	}
	for i, ship := range s.layout {
		if cells := ship.Cells(); p.on && cells.Has(p.at) {
			trial := append(match.Layout(nil), s.layout...)
			trial[i].Heading = s.turned(ship.Heading)
			if err := s.rules.CheckShip(trial, i); err != nil {
				m.notice = m.sentence(err)
				return
			}
			s.layout = trial
		}
	}
}

// within is the cell nearest to a place that is on the board.
func (s *placeScreen) within(x, y int) match.Cell {
	last := s.rules.Size - 1
	return match.At(max(0, min(x, last)), max(0, min(y, last)))
}
