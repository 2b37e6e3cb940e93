package tui

import (
	"flag"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/tui/term"
)

var update = flag.Bool("update", false, "write the golden screens anew")

func TestForeignNamesAreClean(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		evil := account.Player{ID: "evil", Name: "\x1b[2J\u202eevil\u200b\u0301" + strings.Repeat("船", 40)}
		e := startDriver(t, l, evil, 80, 24)
		defer e.close()
		e.press("p")
		d := startDriver(t, l, ann, 80, 24)
		defer d.close()
		d.wait("the other", func(s string) bool { return strings.Count(s, "evil") == 2 })
		if s := d.content(); strings.Contains(s, "\u202e") || strings.Contains(s, "\x1b[2J") || strings.Contains(s, "\u200b") {
			t.Error("a name brought its control characters to another's screen")
		}
		d.press("p")
		d.waitForText("Place your fleet")
	})
}

// randomMouse sends a random mouse event, on the screen or outside it.
func (d *driver) randomMouse(rng *rand.Rand) {
	at := tea.Mouse{X: rng.IntN(d.m.width+3) - 1, Y: rng.IntN(d.m.height+3) - 1, Button: tea.MouseButton(rng.IntN(6))}
	switch rng.IntN(4) {
	case 0:
		d.send(tea.MouseClickMsg(at))
	case 1:
		d.send(tea.MouseReleaseMsg(at))
	case 2:
		d.send(tea.MouseWheelMsg(at))
	default:
		d.send(tea.MouseMotionMsg(at))
	}
}

// TestRandomKeysAndSizes presses random keys in terminals of random sizes. The driver
// checks every frame: nothing panics, and no frame is larger than the terminal.
func TestRandomKeysAndSizes(t *testing.T) {
	keys := []string{
		"up", "down", "left", "right", "h", "j", "k", "l", "enter", "enter", "enter", "space", "esc", "tab", "backspace",
		"a", "B", "c", "J", "1", "2", "7", "0", "r", "x", "x", "u", "z", "n", "p", "b", "y", "?", "o", "m", "d", "h", "w", "w", "s", "l", "g", "v", "t", "t", "ä", "船", "f", "shift+tab", "4", "5",
	}
	for seed := range uint64(6 * more) {
		rng := rand.New(rand.NewPCG(seed, 1))
		runWithModel(t, 80, 24, func(t *testing.T, d *driver) {
			switch seed % 3 {
			case 1:
				d.m.env.Settings.Rules = match.Naval().WithClock(time.Duration(rng.IntN(2)) * 15 * time.Second)
				d.startBattle()
			case 0:
				if rules, err := match.CustomRules(5+rng.IntN(22), 1+rng.IntN(3), match.Contact(rng.IntN(3))); err == nil {
					d.m.env.Settings.Rules = rules
				}
			}
			for range 200 {
				switch rng.IntN(20) {
				case 0:
					d.send(tea.WindowSizeMsg{Width: 1 + rng.IntN(300), Height: 1 + rng.IntN(100)})
				case 1:
					d.send(tea.WindowSizeMsg{Width: 80 + rng.IntN(60), Height: 24 + rng.IntN(20)})
				case 2:
					d.send(tea.PasteMsg{Content: fleetText[:rng.IntN(len(fleetText)+1)]})
				case 3:
					d.handlePending()
				case 5:
					d.send(tea.WindowSizeMsg{Width: 20 + rng.IntN(60), Height: 5 + rng.IntN(20)})
				case 6:
					d.m.env.Lang = i18n.Languages()[rng.IntN(len(i18n.Languages()))]
					d.m.SetAppearance(term.Appearance{Theme: term.Theme(append(term.ThemeNames(), "pink")[rng.IntN(8)]), Glyphs: term.Glyphs(term.GlyphSetNames()[rng.IntN(3)]), NoMouse: rng.IntN(9) == 0})
					d.m.env.Settings.NoAnimation = rng.IntN(2) == 0
					d.checkFrame()
				case 7, 8, 9:
					d.randomMouse(rng)
				// This is long enough for bots to fire.
				case 4:
					d.handleFor(time.Duration(rng.IntN(3000)) * time.Millisecond)
				default:
					d.press(keys[rng.IntN(len(keys))])
				}
			}
		})
	}
}
