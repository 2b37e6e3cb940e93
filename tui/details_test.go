package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/match"
	"broadside/tui/widget"
)

// TestEscClearsTypedCell checks that esc first clears a cell that is typed, and only then leaves.
func TestEscClearsTypedCell(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		clears := func(where string) {
			t.Helper()
			opened := d.m.top()
			d.press("C", "1")
			d.see("C1_")
			d.press("esc")
			if s := d.screen(); strings.Contains(s, "C1_") || strings.Contains(s, "this match?") || d.m.top() != opened {
				t.Errorf("%s: esc does not just clear the cell:\n%s", where, s)
			}
		}
		d.press("d", "enter")
		d.see("shots so far")
		clears("daily sea")
		d.press("esc")
		d.see("Play now")
		d.press("i")
		d.see("B5")
		clears("tutorial")
		d.press("esc")
		d.challenge()
		clears("placing")
		d.press("p")
		clears("placing by ends")
		d.press("p", "esc")
		d.see("this match?")
		d.press("n")
		d.send(tea.PasteMsg{Content: fleetText})
		d.press("enter")
		d.see("YOUR TURN")
		clears("battle")
		d.press("esc")
		d.see("this match?")
	})
	withMoves(t, 0, 80, 24, i18n.English, func(a, b *driver) {
		b.shoot("A1", a)
		a.press("C", "1", "esc")
		a.see("choose a ship")
		if s := a.screen(); strings.Contains(s, "this match?") || !strings.Contains(s, "enter  pass") {
			t.Errorf("esc does not just clear the cell:\n%s", s)
		}
	})
}

// TestNextShipLiesFree checks that the next ship never overlaps one just placed, with the mouse or keys.
func TestNextShipLiesFree(t *testing.T) {
	for _, click := range []bool{true, false} {
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.challenge()
			for range match.Classic().Fleet {
				if click {
					d.click(widget.OwnBoard, d.placing().at.String())
				} else {
					d.press("enter")
				}
				for _, wrong := range []string{"overlap", "touch", "too close", "leave the board"} {
					if s := d.screen(); strings.Contains(strings.ReplaceAll(s, "Ships may touch", ""), wrong) {
						t.Fatalf("after a ship was placed:\n%s", s)
					}
				}
			}
			d.see("All ships are placed.")
		})
	}
}

// TestMessageToBotDoesNotFire checks that a message to a bot, which does not chat, neither moves nor fires.
func TestMessageToBotDoesNotFire(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.begin()
		d.press("E", "5")
		before := d.screen()
		d.press("t")
		for _, k := range strings.Split("hello fire b7q?", "") {
			d.press(strings.ReplaceAll(k, " ", "space"))
			d.see("easy does not chat.")
		}
		d.press("enter")
		d.unseen("does not chat")
		if s := d.screen(); s != before || d.game().last.View.Charts[d.game().side].Fired > 0 {
			t.Errorf("the message has changed the battle from\n%s\nto\n%s", before, s)
		}
		d.press("enter")
		d.see("You fired at E5")
	})
}

// TestBotsHaveFigures checks that a bot's description has its mean number of shots in every language.
func TestBotsHaveFigures(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("b")
		for _, l := range i18n.Languages() {
			d.m.env.Lang = l
			if s := d.screen(); !strings.Contains(s, l.Text("shots to win")) || strings.Count(s, l.Text("%.1f", 95.4)) != 2 {
				t.Errorf("%v: the figure of easy is missing:\n%s", l, s)
			}
		}
	})
}

// TestAbortIsNamed checks that the bar says whether leaving a match aborts it or resigns.
func TestAbortIsNamed(t *testing.T) {
	withRecords(t, 80, 24, func(t *testing.T, d *driver) {
		d.challenge()
		d.press("q")
		d.see("Abort this match?")
		d.see("y  abort")
		d.press("n")
		d.m.env.Check(d.m.env.Session.Resign(match.First))
		d.see("You aborted")
		d.press("esc")
		d.see("Play now")
		d.m.env.Settings.Casual = true
		d.challenge()
		d.press("q")
		d.see("Resign this match?")
		d.see("y  resign")
	})
}
