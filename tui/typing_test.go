package tui

import (
	"strings"
	"testing"

	"broadside/match"
	"broadside/match/live"
)

// wrongCells lists texts that are not cells of a 10×10 board, and the part of each that is
// shown.
var wrongCells = map[string]string{
	"Z9": "Z9", "z9": "Z9", "A11": "A11", "A111": "A111", "a0": "A0", "K1": "K1", "k1": "K1", "l7": "L7", "J11": "J11", "j11": "J11",
	"B": "B", "7": "7", "77": "77", "7B": "B", "B123456": "B123", "x5": "X5", "Q1": "Q1",
}

// mistype types each of wrongCells except those that start with a command, presses enter twice, and expects only
// a notice.
func (d *driver) mistype(done func() int, commands string) {
	d.t.Helper()
	for keys, shown := range wrongCells {
		if strings.Contains(commands, keys[:1]) {
			continue
		}
		before := done()
		d.press(strings.Split(keys, "")...)
		d.press("enter", "enter")
		d.handlePending()
		if s := d.screen(); strings.Contains(s, "to fire at") {
			d.t.Errorf("%s is typed, and the screen says\n%s", keys, s)
		}
		if done() != before {
			d.t.Fatalf("typing %s and pressing enter did something:\n%s", keys, d.screen())
		}
		d.waitForText("There is no cell " + shown + ": choose A1 to")
		d.press("up")
	}
}

func TestInvalidCellsDoNothing(t *testing.T) {
	t.Run("battle", func(t *testing.T) {
		runWithModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.startBattle()
			d.mistype(func() int { return d.game().last.View.Charts[d.game().side].Fired }, "")
			d.press("z", "9", "space")
			d.waitForText("There is no cell Z9")
			d.press("B", "7", "enter")
			d.waitForText("You fired at B7")
		})
	})
	t.Run("placing", func(t *testing.T) {
		runWithModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.startPlacement()
			s := d.placement
			placed := func() int { return len(s().order) }
			d.mistype(placed, "xz")
		})
	})
	t.Run("tutorial", func(t *testing.T) {
		runWithModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.press("i")
			d.mistype(func() int {
				return fieldPointer[live.Update](d.shownPage(), "battle", "match", "game", "last").View.Charts[match.Second].Fired
			}, "")
			// The board has no row G.
			d.press("g", "1", "enter")
			d.waitForText("There is no cell G1: choose A1 to F6.")
		})
	})
	t.Run("daily", func(t *testing.T) {
		runWithModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.daily()
			s := d.dailyState
			d.mistype(func() int { return len(s().view.Cells) }, "")
		})
	})
	t.Run("moves", func(t *testing.T) {
		runNavalBattle(t, 80, 24, nil, func(t *testing.T, a, b *driver) {
			b.press("J", "9", "enter")
			a.waitForText("First you may move a ship.")
			for _, typed := range []string{"Z9", "A11", "Q1", "B"} {
				a.press(strings.Split(typed, "")...)
				a.press("enter", "enter", "space")
				a.waitForText("There is no cell " + typed)
				if v := &a.game().last.View; !v.CanMove || v.Charts[match.First].Fired > 0 || *fieldPointer[int](a.shownPage(), "moveInput", "selected") != -1 {
					t.Fatalf("typing %s did something:\n%s", typed, a.screen())
				}
			}
			a.press("D", "6", "enter")
			a.waitForText("destroyer")
		})
	})
	t.Run("lists", func(t *testing.T) {
		runWithModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.press("b", "0")
			d.waitForText("Choose a bot")
		})
	})
}
