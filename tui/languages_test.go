package tui

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
)

// TestGermanScreens draws the screens of a match in German. No text may be cut off.
func TestGermanScreens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		d := driveWith(t, session.Config{Lobby: l, Player: ann}, Config{Width: 80, Height: 24, Language: i18n.MustParse("de")})
		defer d.close()
		look := func(name string) {
			t.Helper()
			d.golden("de-" + name)
			if s := d.screen(); strings.Contains(s, "…") {
				t.Errorf("%s is cut off:\n%s", name, s)
			}
		}
		d.see("ann (du)")
		d.see("zielt.") // beside the menu
		look("lobby")
		d.press("?")
		look("help")
		d.press("esc", "b")
		for _, name := range []string{"Einfach", "Mittel", "Schwer"} {
			d.see(name)
		}
		look("bots")
		d.press("esc", "p")
		d.see("Warten auf einen Gegner")
		look("waiting")
		d.press("esc", "o")
		look("opponents")
		d.press("esc", "m")
		look("private")
		d.press("esc", "H")
		look("names")
		d.press("esc", "a")
		look("account")
		d.press("esc", "b", "1")
		d.see("Stell deine Flotte auf")
		d.press("C", "9")
		look("placing-illegal")
		d.send(tea.PasteMsg{Content: "kreuzer E1 E9\n"})
		d.see("Diese Flotte ist nicht lesbar")
		d.send(tea.PasteMsg{Content: fleetText})
		look("placing-done")
		d.press("enter")
		d.see("DU BIST DRAN")
		d.press("B", "7", "enter")
		d.see("Dein Schuss auf B7")
		d.see("Meer · Einfach")
		d.unseen("easy")
		look("battle")
		d.press("q")
		look("resign")
		d.press("j")
		d.see("Revanche")
		look("result")
		d.m.env.Lang = i18n.English // as the settings do
		d.see("What next")
	})
}

// fits compares the screen in all languages and several sizes: no text is cut off, and
// translations fit into the space of the English text.
func (d *driver) fits(name string) {
	d.t.Helper()
	width, height := d.m.width, d.m.height
	for _, size := range [][2]int{{100, 30}, {80, 24}, {40, 16}} {
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		var english string
		for _, l := range i18n.Languages() {
			d.m.env.Lang = l
			s := d.screen()
			if strings.Contains(strings.ReplaceAll(s, l.Text("one moment…"), ""), "…") {
				d.t.Errorf("%s is cut off in %v at %d×%d:\n%s", name, l, size[0], size[1], s)
			}
			if l == i18n.English {
				english = s
			}
			if strings.Count(s, "\n") != strings.Count(english, "\n") {
				d.t.Errorf("%s is longer in %v than in English at %d×%d:\n%s\nEnglish:\n%s", name, l, size[0], size[1], s, english)
			}
		}
		d.m.env.Lang = i18n.English
	}
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
}

// TestBattleFits draws a battle in all its states, against an opponent with the longest
// possible name.
func TestBattleFits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		longest := account.Player{ID: "key-longest", Name: "Maximiliane-1805"}
		watcher := drive(t, l, carol, 80, 24)
		defer watcher.close()
		rules := account.Settings{Rules: match.Classic().WithClock(time.Minute)}
		a := driveWith(t, session.Config{Lobby: l, Player: ann}, Config{Width: 80, Height: 24, Settings: rules})
		defer a.close()
		b := driveWith(t, session.Config{Lobby: l, Player: longest}, Config{Width: 80, Height: 24, Settings: rules})
		defer b.close()
		a.press("p")
		a.see("Waiting for an opponent")
		b.press("p")
		for _, d := range []*driver{a, b} {
			d.see("Place your fleet")
			d.fits("placing")
			d.send(tea.PasteMsg{Content: fleetText})
			d.press("enter")
			d.fits("ready")
		}
		watcher.press("w")
		watcher.see("ann – Maximiliane-1805")
		watcher.press("2")
		watcher.see("1 watching")
		for _, cell := range [][]string{{"J", "1", "0"}, {"I", "1"}, {"I", "2"}} {
			for _, d := range []*driver{b, a} {
				d.see("YOUR TURN")
				d.press(cell[:2]...)
				d.fits("a cell named")
				d.press(append(cell[2:], "enter")...)
				d.see("You fired at " + strings.Join(cell, ""))
				d.fits("shot")
			}
			watcher.see("ann fired at " + strings.Join(cell, ""))
			watcher.fits("watching")
		}
		b.see("YOUR TURN")
		b.close()
		a.see("You can claim the win in 1:00.")
		a.fits("away")
		watcher.see("is away and loses in")
		watcher.fits("watching who is away")
		time.Sleep(lobby.DefaultGrace)
		a.see("has been away too long.")
		a.fits("late")
		a.press("!")
		a.see("YOU WON.")
		a.fits("claimed")
		watcher.see("ann won.")
		watcher.fits("watching a win that was claimed")
	})
}

// TestScreensFit draws the other screens in all languages.
func TestScreensFit(t *testing.T) {
	withRecords(t, 80, 24, func(t *testing.T, d *driver) {
		d.fits("lobby")
		d.press("L")
		d.see("bob")
		d.fits("leaderboard")
		d.press("i")
		d.see("hit rate")
		d.fits("profile")
		d.press("esc", "esc", "g")
		d.see("ID sample000005")
		d.fits("history")
		d.press("down", "enter")
		d.see("The battle begins.")
		d.fits("replay")
		d.press("2", "0")
		d.fits("replay, jumping")
		d.press("enter")
		d.see("shot  20 of 134")
		d.press("a")
		d.see("admiral would fire at")
		d.fits("replay with admiral")
		d.press("end")
		d.see("admiral has no targets")
		d.fits("replay at the end")
		d.press("esc", "esc", "t")
		d.fits("talk")
		d.press("esc")
		d.daily()
		d.fits("daily sea")
		d.press("enter")
		d.see("1 shot so far")
		d.fits("daily sea, a shot")
	})
	withRecords(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("a")
		d.see("added 2")
		d.fits("account")
		d.press("esc", "s")
		for range 18 {
			d.fits("settings")
			d.press("down")
		}
		d.press("esc", "i")
		d.fits("tutorial")
		d.press("enter")
		d.see("A hit.")
		d.fits("tutorial with a hit")
		d.press("esc", "?")
		d.fits("help")
		d.press("esc", "o")
		d.fits("opponents")
		d.press("esc", "m")
		d.fits("private")
		d.press("esc", "p")
		d.see("Waiting for an opponent")
		d.fits("waiting")
		d.press("esc", "b")
		d.fits("bots")
		d.press("1")
		d.see("Place your fleet")
		d.fits("placing")
		d.press("C", "9")
		d.fits("placing over the edge")
		d.press("s")
		d.fits("placing, too early to save")
		d.press("x", "s")
		d.fits("saving a fleet")
		d.press("a", "enter")
		d.see("Fleet a is saved")
		d.fits("a saved fleet")
		d.press("enter")
		d.see("YOUR TURN")
		d.fits("battle")
		d.press("q")
		d.fits("resigning")
		d.press("y")
		d.see("rematch")
		d.fits("result")
	})
	spectate(t, 80, 24, func(t *testing.T, l *lobby.Lobby, d *driver, m *stagedMatch) {
		d.fits("lobby with a match")
		d.press("w")
		d.wait("ann and bob in the list", func(s string) bool { return strings.Contains(s, "2  ann – bob") })
		d.fits("list of matches")
		d.press("2")
		d.see("1 watching · carol")
		d.fits("watching fleets being placed")
		m.begin()
		m.fire("A1", "A1", "A2", "B7", "J9", "I1", "J8", "I2", "J7")
		d.see("ann is aiming.")
		d.fits("watching")
		m.first.Resign()
		d.see("bob won.")
		d.fits("watching the end")
	})
}
