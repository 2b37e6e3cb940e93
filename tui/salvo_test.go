package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/match"
	"broadside/tui/widget"
)

// TestSalvoByKeysAndMouse marks the targets of a salvo one by one, removes one, and fires
// all of them with a key, with enter on the last one, and with clicks.
func TestSalvoByKeysAndMouse(t *testing.T) {
	for _, size := range [][2]int{{40, 16}, {80, 24}, {100, 30}} {
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.playBot("easy", match.Salvo(), lobby.Casual)
			d.see("lace your fleet")
			d.press("x", "enter")
			d.wait("the first turn", func(string) bool { return d.game().last.View.Shots == 5 && d.game().last.View.Turn == d.game().side })
			fired := func() int { return d.game().last.View.Charts[d.game().side].Fired }
			mark := func(names ...string) {
				for _, name := range names {
					d.press(strings.Split(name, "")...)
					d.press("enter")
				}
			}
			d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			d.see("Marked: 0 of 5")
			mark("B7", "C3", "D4", "J9")
			d.see("Marked: 4 of 5")
			d.press("enter") // removes the mark at the cursor
			d.see("Marked: 3 of 5")
			d.press("f", "1", "enter") // until all targets are marked, f is a row
			d.see("Marked: 4 of 5")
			mark("J9")
			d.see("Marked: 5 of 5")
			d.see("Press f to fire.")
			mark("A1")
			d.see("All 5 shots are marked")
			if fired() != 0 {
				t.Fatalf("%d shots were fired before f", fired())
			}
			if board := d.screen(); strings.Count(board, "1") == 0 || !strings.Contains(board, "5") {
				t.Errorf("the targets are not numbered:\n%s", board)
			}
			d.press("f")
			d.wait("the answers", func(string) bool { return fired() == 5 })
			for _, cell := range []string{"B7", "C3", "D4", "F1", "J9"} {
				if chart := d.game().last.View.Charts[d.game().side]; !chart.Shots.Has(cellNamed(t, cell)) {
					t.Errorf("%s was not shot at", cell)
				}
			}
			turn := func() bool {
				v := &d.game().last.View
				return v.Turn == d.game().side && !v.Pending && v.Phase == match.Battle
			}
			d.wait("the second turn", func(string) bool { return turn() })
			d.wait("a count of none", func(s string) bool { return strings.Contains(s, "0 of ") })
			// Each click marks a cell; another click on the last one fires.
			shots := d.game().last.View.Shots
			var cells []string
			for c := range d.game().last.View.Charts[d.game().side].Open().All() {
				if cells = append(cells, c.String()); len(cells) == shots {
					break
				}
			}
			if d.m.frame.top >= 0 && size[0] >= 80 {
				for _, c := range cells {
					d.click(widget.EnemyBoard, c)
				}
				d.see("Press f to fire.")
				if fired() != 5 {
					t.Fatal("a click has fired")
				}
				d.click(widget.EnemyBoard, cells[shots-1])
			} else {
				mark(cells...)
				d.press("enter")
			}
			d.wait("the answers", func(string) bool { return fired() == 5+shots })
			d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
			d.see("You fired: ")
		})
	}
}
