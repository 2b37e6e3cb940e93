package tui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/term"
	"broadside/tui/widget"
)

// TestFlash fires a shot and checks the frames until the animation ends: they show the
// result from the first frame on, in several colours. A key ends the animation and takes
// effect.
func TestFlash(t *testing.T) {
	for _, c := range []struct {
		still bool
		// key is pressed before the animation ends.
		key string
	}{{false, ""}, {false, "left"}, {true, ""}} {
		runWithModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.startBattle()
			d.m.env.Settings.NoAnimation = c.still
			// frames has the shot's line as it has looked so far.
			frames := map[string]bool{}
			d.onFrame = func(s string) {
				if strings.Contains(s, "You fired at B7") {
					frames[strings.Join(strings.Split(d.content(), "\n")[7:10], "")] = true
				}
			}
			d.press("B", "7", "enter")
			d.waitForText("You fired at B7: miss")
			if missed := d.boardSigns()[widget.EnemyBoard][board.SignMiss]; !missed.Has(parseCell(t, "B7")) {
				t.Error("the result is not on the board")
			}
			if c.key != "" {
				// The bot's shot must not come with the key.
				d.handlePending()
				d.press(c.key)
				if at := d.cursor(); at != parseCell(t, "B6") {
					t.Errorf("a key has moved the cursor to %v", at)
				}
			}
			if on := !inspectField(d.m.frame.boards, "flashes").IsZero(); on != (!c.still && c.key == "") {
				t.Errorf("%+v: animated: %v", c, on)
			}
			d.handleFor(time.Second)
			d.onFrame = nil
			if !inspectField(d.m.frame.boards, "flashes").IsZero() {
				t.Error("the animation is not over after a second")
			}
			if n := len(frames); !c.still && c.key == "" && n < 4 {
				t.Errorf("the shot was shown in %d frames", n)
			}
		})
	}
}

// TestAnimationOfSinking checks that the ship sinks from stern to bow, and that nothing else changes.
func TestAnimationOfSinking(t *testing.T) {
	c := match.NewChart(match.Classic())
	c.Record(parseCell(t, "B2"), match.Hit)
	c.Record(parseCell(t, "B3"), match.Sunk)
	c.Record(parseCell(t, "H8"), match.Hit)
	for step, want := range []string{"XX", "XX", "#X", "##", "##"} {
		b := board.NewChart(&c)
		b.DrawBlast(parseCell(t, "B3"), match.Sunk, step)
		signs := strings.NewReplacer(" ", "", "~", "", board.SignDeduced, "").Replace(strings.Join(b.DrawBare(term.Cells), ""))
		if signs = ansi.Strip(signs); signs != want+"X" {
			t.Errorf("step %d shows %q, want %q", step, signs, want+"X")
		}
	}
}
