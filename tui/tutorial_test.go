package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/tui/widget"
)

// TestTutorial plays the tutorial that new players are offered.
func TestTutorial(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 16}} {
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.see("new here? press i")
			d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			d.press("i")
			d.golden("tutorial")
			d.press("enter")
			d.see("A hit.")
			d.press("enter")
			d.see("You have already fired at C3")
			d.see("Try B3, C2,")
			d.press("G")
			d.see("There is no cell G")
			d.press("F", "7")
			d.see("There is no cell F7")
			d.press("B", "3", "enter")
			d.see("Players take turns")
			d.press("D", "3", "enter")
			d.see("Finish the ship you hit")
			d.press("C", "4", "enter")
			d.see("Another hit, so the ship lies")
			d.press("C", "2", "enter")
			d.see("Sunk!")
			d.press("B", "4", "enter")
			d.see("B4 is next to a sunk ship")
			d.press("E", "6", "enter", "down", "enter")
			d.see("YOU WON")
			d.golden("tutorial-over")
			d.press("esc")
			d.see("Play now")
			if s := d.screen(); strings.Contains(s, "new here?") {
				t.Errorf("it is offered again:\n%s", s)
			}
			d.press("i", "esc") // one key skips it
			d.see("Play now")
			d.press("i")
			d.click(widget.EnemyBoard, "B4") // aims
			d.see("Press enter to fire at B4")
			d.click(widget.EnemyBoard, "B4")
			d.see("A miss.")
			d.click(widget.EnemyBoard, "C4")
			d.click(widget.EnemyBoard, "C4")
			d.see("A hit.")
			d.m.env.Lang = i18n.MustParse("de") // no lesson is cut off in German
			d.golden("de-tutorial-hit")
		})
	}
}

// TestTutorialEndsInAGame sinks both ships; the next key fires in a match.
func TestTutorialEndsInAGame(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("i")
		for _, cell := range []string{"C3", "C4", "C2", "C5", "E5", "F5", "E6", "D6", "F6", "E4"} {
			if !strings.Contains(d.screen(), "YOU WON") {
				d.press(cell[:1], cell[1:], "enter")
			}
		}
		d.see("YOU WON")
		d.press("enter")
		d.see("YOUR TURN")
		d.see("easy")
		d.press("enter")
		d.see("You fired at")
	})
}
