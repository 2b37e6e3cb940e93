package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/match/live"
)

// wrongCells lists texts that are not cells of a 10×10 board, and the part of each that is
// shown.
var wrongCells = map[string]string{
	"Z9": "Z9", "z9": "Z9", "A11": "A11", "A111": "A111", "a0": "A0", "K1": "K1", "k1": "K1", "l7": "L7", "J11": "J11", "j11": "J11",
	"B": "B", "7": "7", "77": "77", "7B": "B", "B123456": "B123", "x5": "X5", "Q1": "Q1",
}

// mistype types each of wrongCells except those that begin with a command, presses enter
// twice, and expects only a notice.
func (d *driver) mistype(done func() int, commands string) {
	d.t.Helper()
	for keys, shown := range wrongCells {
		if strings.Contains(commands, keys[:1]) {
			continue
		}
		before := done()
		d.press(strings.Split(keys, "")...)
		d.press("enter", "enter")
		d.settle()
		if s := d.screen(); strings.Contains(s, "to fire at") {
			d.t.Errorf("%s is typed, and the screen says\n%s", keys, s)
		}
		if done() != before {
			d.t.Fatalf("typing %s and pressing enter did something:\n%s", keys, d.screen())
		}
		d.see("There is no cell " + shown + ": choose A1 to")
		d.press("up")
	}
}

func TestInvalidCellsDoNothing(t *testing.T) {
	t.Run("battle", func(t *testing.T) {
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.begin()
			d.mistype(func() int { return d.game().last.View.Charts[d.game().side].Fired }, "")
			d.press("z", "9", "space")
			d.see("There is no cell Z9")
			d.press("B", "7", "enter")
			d.see("You fired at B7")
		})
	})
	t.Run("placing", func(t *testing.T) {
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.challenge()
			s := d.placing
			placed := func() int { return len(s().order) }
			d.mistype(placed, "xz")
		})
	})
	t.Run("tutorial", func(t *testing.T) {
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.press("i")
			d.mistype(func() int {
				return peek[live.Update](d.page(), "page", "match", "game", "last").View.Charts[match.Second].Fired
			}, "")
			d.press("g", "1", "enter") // no row of this board
			d.see("There is no cell G1: choose A1 to F6.")
		})
	})
	t.Run("daily", func(t *testing.T) {
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.daily()
			s := d.sea
			d.mistype(func() int { return len(s().view.Cells) }, "")
		})
	})
	t.Run("moves", func(t *testing.T) {
		withMoves(t, 0, 80, 24, i18n.English, func(a, b *driver) {
			b.press("J", "9", "enter")
			a.see("First you may move a ship.")
			for _, typed := range []string{"Z9", "A11", "Q1", "B"} {
				a.press(strings.Split(typed, "")...)
				a.press("enter", "enter", "space")
				a.see("There is no cell " + typed)
				if v := &a.game().last.View; !v.MayMove || v.Charts[match.First].Fired > 0 || *peek[int](a.page(), "move", "hand") != -1 {
					t.Fatalf("typing %s did something:\n%s", typed, a.screen())
				}
			}
			a.press("D", "6", "enter")
			a.see("destroyer")
		})
	})
	t.Run("lists", func(t *testing.T) {
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.press("b", "0")
			d.see("Choose a bot")
		})
	})
}

// TestPastesAreDropped pastes text that would play the game if it were typed.
func TestPastesAreDropped(t *testing.T) {
	const sentence = "B7\renter q y ! resign\r\nA1\ry\n"
	ignored := func(d *driver) {
		d.t.Helper()
		before := d.page()
		d.send(tea.PasteMsg{Content: sentence})
		d.see("Pasted text is ignored here.")
		if d.page() != before || d.m.Frame().NoBracketedPaste {
			d.t.Fatalf("after a paste the screen is\n%s", d.screen())
		}
		d.press("left")
	}
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		ignored(d) // the lobby
		d.press("o")
		ignored(d)
		d.press("esc", "s")
		ignored(d)
		d.press("right", "esc") // the language again
		d.begin()
		s := d.page()
		ignored(d)
		d.press("q")
		d.send(tea.PasteMsg{Content: "y"})
		d.settle()
		if d.page() != s || inspect(d.m.top(), "question").Uint() == 0 || d.game().last.View.Charts[d.game().side].Fired > 0 {
			t.Fatalf("a paste has answered:\n%s", d.screen())
		}
		d.press("y")
		d.see("You resigned.")
		ignored(d)
	})
}

// TestFleetIsPasted pastes a fleet as terminals do, with carriage returns between lines.
func TestFleetIsPasted(t *testing.T) {
	for name, ending := range map[string]string{"LF": "\n", "CR": "\r", "CR LF": "\r\n"} {
		t.Run(name, func(t *testing.T) {
			withModel(t, 80, 24, func(t *testing.T, d *driver) {
				d.challenge()
				d.send(tea.PasteMsg{Content: strings.ReplaceAll(fleetText, "\n", ending)})
				d.see("Your pasted fleet is in place.")
				d.press("enter")
				d.see("YOUR TURN")
			})
		})
	}
}

// TestLeavingIsConfirmedOnSmallTerminal checks that ctrl+c asks first, even if the terminal
// is too small for any screen.
func TestLeavingIsConfirmedOnSmallTerminal(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		leaves := func() bool {
			_, cmd := d.m.Update(keyMsg("ctrl+c"))
			if cmd == nil {
				return false
			}
			_, quits := cmd().(tea.QuitMsg)
			return quits
		}
		d.begin()
		d.send(tea.WindowSizeMsg{Width: 30, Height: 10})
		if leaves() {
			t.Error("the match was left at once")
		}
		d.see("Press ctrl+c again to leave.")
		d.press("x")
		d.see("Broadside needs")
		if leaves() {
			t.Error("the match was left at once, the second time")
		}
		if !leaves() {
			t.Error("the match cannot be left")
		}
	})
}

// TestNoticesEnd checks that a notice disappears at a key press, after some time, and when
// its cause has changed.
func TestNoticesEnd(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("e")
		d.see("Press p to play")
		d.pass(noticeTime - time.Second)
		d.see("Press p to play")
		d.pass(2 * time.Second)
		if s := d.screen(); strings.Contains(s, "Press p to play") {
			t.Errorf("a notice stays:\n%s", s)
		}
		d.press("e")
		d.pass(noticeTime - time.Second)
		d.press("e") // shown again
		d.pass(noticeTime - time.Second)
		d.see("Press p to play")
		d.send(Notice(i18n.NewMessage("%s is back.", "bob")))
		d.pass(time.Hour)
		d.see("bob is back.") // not caused by a key: shown until the next key
		d.press("e")
		d.see("Press p to play")
	})
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		other := drive(t, d.lobby, bob, 80, 24)
		defer other.close()
		fight(d, other)
		other.see("YOUR TURN")
		d.see("bob is aiming.")
		d.press("enter")
		d.see("It is not your turn: bob is aiming.")
		other.press("A", "1", "enter")
		d.see("YOUR TURN")
		if s := d.screen(); strings.Contains(s, "It is not your turn") {
			t.Errorf("a notice stays that is no longer true:\n%s", s)
		}
	})
}

// TestTextFieldsSayWhatDoesNotFit types too much and the wrong characters into each text field,
// and erases it with ctrl+u.
func TestTextFieldsSayWhatDoesNotFit(t *testing.T) {
	withRecords(t, 80, 24, func(t *testing.T, d *driver) {
		for _, c := range []struct{ keys, wrong, says, full string }{
			{"f a", "ß", "Use letters from a to z", "At most 16 characters fit here."},
			{"a n", "ß", "Use letters from a to z", "At most 16 characters fit here."},
			{"H", "", "", "At most 16 characters fit here."},
			{"m", "ß", "No code contains ß", "At most 12 characters fit here."},
			{"t", "", "", "80/80"},
			{"b enter x s", "ß", "The name of a fleet is 1 to 16 letters", "At most 16 characters fit here."},
		} {
			d.m.Home("")
			for _, k := range strings.Fields(c.keys) {
				d.press(k)
				d.pass(time.Second)
			}
			if c.wrong != "" {
				d.press(c.wrong)
				d.see(c.says)
			}
			d.press("ctrl+u")
			for range 81 {
				d.press("x")
			}
			d.see(c.full)
			d.press("ctrl+u")
			if s := d.screen(); strings.Contains(s, "xx") || strings.Contains(s, "X X") { // X X X - X is a code
				t.Errorf("%s: ctrl+u does not erase the text:\n%s", c.keys, s)
			}
		}
	})
}
