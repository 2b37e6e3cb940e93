package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
)

// on returns the position of a cell on the screen, in the middle of its drawing.
func (d *driver) on(n int, at match.Cell) tea.Mouse {
	d.t.Helper()
	for _, s := range d.boardSpots() {
		w, h := s.Form.OuterSize(s.Window.Columns, s.Window.Rows)
		for y := range h {
			for x := range w {
				if c, ok := s.Form.CellAt(s.Window, x, y); ok && s.Panel == n && c == at {
					return tea.Mouse{X: s.Left + x + s.Form.Width/2, Y: d.m.frame.top + s.Top + y + s.Form.Height/2, Button: tea.MouseLeft}
				}
			}
		}
	}
	d.t.Fatalf("cell %v of board %d is not on the screen\n%s", at, n, d.screen())
	return tea.Mouse{}
}

func (d *driver) click(n int, name string) {
	d.t.Helper()
	at := d.on(n, parseCell(d.t, name))
	d.send(tea.MouseClickMsg(at))
	d.send(tea.MouseReleaseMsg(at))
}

// clickText clicks where a text is on the screen.
func (d *driver) clickText(shown string) {
	d.t.Helper()
	for y, line := range strings.Split(d.screen(), "\n") {
		if before, _, ok := strings.Cut(line, shown); ok && y < d.m.height-1 {
			at := tea.Mouse{X: text.Width(before), Y: y, Button: tea.MouseNone}
			d.send(tea.MouseMotionMsg(at))
			at.Button = tea.MouseLeft
			d.send(tea.MouseClickMsg(at))
			return
		}
	}
	d.t.Fatalf("there is no %q to click on\n%s", shown, d.screen())
}

// dragTo drags the mouse from one cell to another.
func (d *driver) dragTo(from, to string) {
	d.t.Helper()
	d.send(tea.MouseClickMsg(d.on(0, parseCell(d.t, from))))
	d.send(tea.MouseMotionMsg(d.on(0, parseCell(d.t, to))))
	d.send(tea.MouseReleaseMsg(d.on(0, parseCell(d.t, to))))
}

// TestMouseMode checks that every screen uses the mouse, unless the player has turned it
// off.
func TestMouseMode(t *testing.T) {
	runWithModel(t, 80, 24, func(t *testing.T, d *driver) {
		mode := func(want tea.MouseMode, where string) {
			t.Helper()
			if got := d.m.View().MouseMode; got != want {
				t.Errorf("%s: mode %v, want %v", where, got, want)
			}
		}
		mode(tea.MouseModeAllMotion, "lobby")
		d.startBattle()
		mode(tea.MouseModeAllMotion, "battle")
		d.press("?")
		mode(tea.MouseModeAllMotion, "help")
		d.press("esc")
		d.m.SetAppearance(term.Appearance{NoMouse: true})
		mode(tea.MouseModeNone, "battle, by choice")
	})
}
