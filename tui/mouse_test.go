package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/widget"
)

// on returns the position of a cell on the screen, in the middle of its drawing.
func (d *driver) on(n int, at match.Cell) tea.Mouse {
	d.t.Helper()
	for _, s := range d.spots() {
		w, h := s.Form.Outer(s.Window.Columns, s.Window.Rows)
		for y := range h {
			for x := range w {
				if c, ok := s.Form.Cell(s.Window, x, y); ok && s.Panel == n && c == at {
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
	at := d.on(n, cellNamed(d.t, name))
	d.send(tea.MouseClickMsg(at))
	d.send(tea.MouseReleaseMsg(at))
}

// dragTo drags the mouse from one cell to another.
func (d *driver) dragTo(from, to string) {
	d.t.Helper()
	d.send(tea.MouseClickMsg(d.on(0, cellNamed(d.t, from))))
	d.send(tea.MouseMotionMsg(d.on(0, cellNamed(d.t, to))))
	d.send(tea.MouseReleaseMsg(d.on(0, cellNamed(d.t, to))))
}

func cellNamed(t testing.TB, name string) match.Cell {
	t.Helper()
	at, err := match.ParseCell(name)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestClicksFire checks that the first click aims and the second one fires.
func TestClicksFire(t *testing.T) {
	for _, size := range [][2]int{{40, 16}, {80, 24}, {100, 30}, {200, 60}} {
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.begin()
			d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			d.click(widget.EnemyBoard, "E5") // the cursor's cell, at which nobody has aimed
			d.settle()
			if d.game().last.View.Charts[d.game().side].Fired != 0 {
				t.Fatal("the first click has fired")
			}
			d.click(widget.EnemyBoard, "B7")
			if at := d.cursor(); at != cellNamed(t, "B7") {
				t.Fatalf("a click aims at %v", at)
			}
			d.click(widget.EnemyBoard, "B7")
			d.wait("the answer", func(string) bool { return d.game().last.View.Charts[d.game().side].Fired == 1 })
			if shot := d.game().last.View.LastShot(d.game().side); shot.Cell != cellNamed(t, "B7") {
				t.Errorf("two clicks at B7 fired at %v", shot.Cell)
			}
			d.press("?")
			d.send(tea.MouseClickMsg{X: 20, Y: 10, Button: tea.MouseLeft}) // no board is shown
		})
	}
}

func TestHoverShowsTheCell(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.begin()
		at := d.on(widget.EnemyBoard, cellNamed(t, "C3"))
		at.Button = tea.MouseNone
		d.send(tea.MouseMotionMsg(at))
		if !strings.Contains(d.screen(), "(~)") {
			t.Errorf("the mouse is not shown:\n%s", d.screen())
		}
		d.send(tea.MouseMotionMsg{X: 0, Y: 0})
		if strings.Contains(d.screen(), "(~)") {
			t.Error("the mouse is shown where it is not")
		}
	})
}

func TestShipsAreDragged(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.challenge()
		s := d.placing
		where := func(i int, want string) {
			t.Helper()
			if got := s().layout[i].String(); got != want {
				t.Errorf("ship %d lies at %s, want %s\n%s", i, got, want, d.screen())
			}
		}
		d.click(0, "A1")
		where(0, "A1–A5")
		d.send(tea.MouseWheelMsg{X: 1, Y: 1, Button: tea.MouseWheelDown})
		d.click(0, "C1")
		where(1, "C1–F1")
		d.dragTo("A3", "J9") // over the edge: the ship returns to its place
		where(0, "A1–A5")
		d.dragTo("A3", "J3")
		where(0, "J1–J5")
		d.dragTo("C1", "A1")
		where(1, "A1–D1")
	})
	withModel(t, 100, 30, func(t *testing.T, d *driver) {
		d.challenge()
		s := d.placing
		d.send(tea.PasteMsg{Content: fleetText})
		d.dragTo("A3", "J6")
		if got := s().layout[0].String(); got != "J4–J8" {
			t.Errorf("dragged by its middle to J6, the carrier lies at %s", got)
		}
		d.dragTo("J4", "I1") // across the destroyer
		if got := s().layout[0].String(); got != "J4–J8" || !strings.Contains(d.screen(), "destroyer") {
			t.Errorf("dragged where it cannot lie, the carrier lies at %s:\n%s", got, d.screen())
		}
		wheel := d.on(0, cellNamed(t, "E2"))
		wheel.Button = tea.MouseWheelUp
		d.send(tea.MouseWheelMsg(wheel))
		if got := s().layout[2].String(); got != "E1–E3" || !strings.Contains(d.screen(), "overlaps") {
			t.Errorf("turned onto another ship, the cruiser lies at %s:\n%s", got, d.screen())
		}
		d.dragTo("E1", "C8")
		d.send(tea.MouseWheelMsg(d.on(0, cellNamed(t, "C9"))))
		if got := s().layout[2].String(); got != "C8–E8" {
			t.Errorf("turned, the cruiser lies at %s", got)
		}
	})
}

// TestMouseMode checks that every screen uses the mouse, unless the player has turned it
// off.
func TestMouseMode(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		mode := func(want tea.MouseMode, where string) {
			t.Helper()
			if got := d.m.View().MouseMode; got != want {
				t.Errorf("%s: mode %v, want %v", where, got, want)
			}
		}
		mode(tea.MouseModeAllMotion, "lobby")
		d.begin()
		mode(tea.MouseModeAllMotion, "battle")
		d.press("?")
		mode(tea.MouseModeAllMotion, "help")
		d.press("esc")
		d.m.SetAppearance(term.Appearance{NoMouse: true})
		mode(tea.MouseModeNone, "battle, by choice")
	})
}

// TestPlacingByEnds types the cells of the bow and of the stern.
func TestPlacingByEnds(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.challenge()
		s := d.placing
		d.press("A", "1")
		d.see("For the bow at A1")
		d.see("A5, E1.")
		for _, wrong := range []string{"F9", "Z9", "A11", "A", "5", ""} {
			d.press("esc", "a", "1", "space")
			d.see("The bow is at A1.")
			d.press(strings.Split(wrong, "")...)
			d.press("enter", "enter")
			d.see("The stern can't be at " + wrong + ". It can be at A5, E1.")
			if s().layout[0].Length != 0 {
				t.Fatalf("with its stern at %s, the ship was placed at %v", wrong, s().layout[0])
			}
		}
		d.press("A", "5")
		d.see("Cell: A1 A5_")
		d.press("enter")
		if got := s().layout[0].String(); got != "A5–A1" {
			t.Errorf("the carrier lies at %s", got)
		}
		d.press("B", "3") // beside the carrier, the ship would touch it in every direction
		d.see("does not fit with its bow")
		d.press("space", "B", "6", "enter")
		d.see("does not fit with its bow")
		d.press("esc", "e", "1", "0", "space", "h", "0", "backspace", "1", "0", "enter")
		if got := s().layout[1]; got.Length != 4 || got.Bow() != cellNamed(t, "E10") || got.Stern != cellNamed(t, "H10") {
			t.Errorf("the battleship lies at %v", got)
		}
		d.press("G", "5", "space", "G", "esc", "enter") // esc discards both ends
		if got := s().layout[2]; got.Length != 3 || got.Stern == cellNamed(t, "G5") {
			t.Errorf("the cruiser lies at %v", got)
		}
	})
}

// TestHoverEndsOnResize checks that a position of the mouse is forgotten when the screen or
// its size changes.
func TestHoverEndsOnResize(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		hover := func(n int) {
			t.Helper()
			at := d.on(n, cellNamed(t, "B2"))
			at.Button = tea.MouseNone
			d.send(tea.MouseMotionMsg(at))
			d.see("(~)")
		}
		d.press("i")
		hover(widget.EnemyBoard)
		d.press("esc", "d", "enter")
		d.see("Practice:")
		if s := d.screen(); strings.Contains(s, "(~)") {
			t.Errorf("the mark has come along to another screen:\n%s", s)
		}
		d.press("esc")
		d.begin()
		hover(widget.EnemyBoard)
		d.send(tea.WindowSizeMsg{Width: 130, Height: 40})
		if s := d.screen(); strings.Contains(s, "(~)") {
			t.Errorf("the mark is where the mouse was before the boards moved:\n%s", s)
		}
	})
}
