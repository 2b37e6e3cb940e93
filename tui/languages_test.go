package tui

import (
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"broadside/words"
)

// TestGermanScreens draws the screens of a match in German, where nothing may be
// cut off.
func TestGermanScreens(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {100, 30}} {
		synctest.Test(t, func(t *testing.T) {
			l := hall()
			defer l.Close()
			d := driveWith(t, Config{Lobby: l, Player: ann, Width: size[0], Height: size[1], Language: words.German})
			defer d.close()
			look := func(name string) {
				t.Helper()
				d.golden("de-" + name)
				if s := d.screen(); strings.Contains(s, "…") {
					t.Errorf("%s is cut off:\n%s", name, s)
				}
			}
			d.see("ann (du)")
			look("lobby")
			d.press("?")
			look("help")
			d.press("esc", "b")
			look("bots")
			d.press("esc", "p")
			d.see("Warten auf einen Gegner")
			look("waiting")
			d.press("esc", "o")
			look("opponents")
			d.press("esc", "m")
			look("room")
			d.press("esc", "h")
			look("names")
			d.press("esc", "a")
			look("account")
			d.press("esc", "b", "1")
			d.see("Stell deine Flotte auf")
			d.press("C", "9")
			look("placing-illegal")
			d.send(tea.PasteMsg{Content: "kreuzer E1 E9\n"})
			d.see("Das ist keine Flotte")
			d.send(tea.PasteMsg{Content: fleetText})
			look("placing-done")
			d.press("enter")
			d.see("Du bist dran.")
			d.press("B", "7", "enter")
			d.see("Dein Schuss auf B7")
			look("battle")
			d.press("q")
			look("resign")
			d.press("y")
			d.see("Revanche")
			look("result")
			d.m.lang = words.English // as the settings do
			d.see("Press r for a rematch")
		})
	}
}
