package tui

import (
	"strings"
	"testing"
	"time"

	"broadside/lobby/account"
	"broadside/tui/term"
)

// TestScreenPictures draws every screen outside matches in several sizes and themes for
// visual inspection: go test -run TestScreenPictures ./tui -pictures /tmp/pictures
func TestScreenPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("no -pictures were asked for")
	}
	screens := []string{
		"lobby", "help ?", "bots b", "settings s", "account a", "leaderboard L", "profile L enter", "history g", "opponents o",
		"watch-list w", "private m", "hot-seat H", "chat t", "lobby-people tab down", "lobby-you tab tab down",
	}
	for _, theme := range []term.Theme{term.Navy, term.Light, "colour-blind"} {
		for _, size := range [][2]int{{160, 45}, {100, 30}, {80, 24}, {60, 20}, {40, 16}} {
			withRecords(t, size[0], size[1], func(t *testing.T, d *driver) {
				d.m.SetAppearance(term.Appearance{Theme: theme})
				for _, name := range []string{"bob", "carol", "dave", "finn", "gina", "hugo", "ines"} {
					other := drive(t, d.lobby, account.Player{ID: name, Name: name}, 80, 24)
					defer other.close()
					switch name {
					case "bob":
						other.press("p")
					case "carol":
						other.press("b", "enter")
					case "gina":
						other.press("t", "a", "n", "y", "b", "o", "d", "y", "?", "enter")
					}
				}
				for _, keys := range screens {
					words := strings.Fields(keys)
					d.pass(time.Second)
					d.press(words[1:]...)
					d.pass(time.Second)
					takePicture(t, d, theme.String()+"-"+words[0])
					d.m.help = false
					d.m.Home("")
				}
			})
			withStore(t, func(t *testing.T, h withAccounts) {
				d := h.comes(t, "ann", "SHA256:one")
				d.m.width, d.m.height = size[0], size[1]
				d.m.SetAppearance(term.Appearance{Theme: theme})
				takePicture(t, d, theme.String()+"-first")
			})
		}
	}
}
