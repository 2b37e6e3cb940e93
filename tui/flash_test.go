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
		key   string // pressed before the animation ends
	}{{false, ""}, {false, "left"}, {true, ""}} {
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.begin()
			d.m.env.Settings.NoAnimation = c.still
			frames := map[string]bool{} // the appearances of the shot's line so far
			d.frame = func(s string) {
				if strings.Contains(s, "You fired at B7") {
					frames[strings.Join(strings.Split(d.content(), "\n")[7:10], "")] = true
				}
			}
			d.press("B", "7", "enter")
			d.see("You fired at B7: miss")
			if missed := d.boards()[widget.EnemyBoard][board.SignMiss]; !missed.Has(cellNamed(t, "B7")) {
				t.Error("the result is not on the board")
			}
			if c.key != "" {
				d.settle() // so that the bot's shot does not come with the key
				d.press(c.key)
				if at := d.cursor(); at != cellNamed(t, "B6") {
					t.Errorf("a key has moved the cursor to %v", at)
				}
			}
			if on := !inspect(d.m.frame.boards, "flashes").IsZero(); on != (!c.still && c.key == "") {
				t.Errorf("%+v: animated: %v", c, on)
			}
			d.pass(time.Second)
			d.frame = nil
			if !inspect(d.m.frame.boards, "flashes").IsZero() {
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
	c.Record(cellNamed(t, "B2"), match.Hit)
	c.Record(cellNamed(t, "B3"), match.Sunk)
	c.Record(cellNamed(t, "H8"), match.Hit)
	for step, want := range []string{"XX", "XX", "#X", "##", "##"} {
		b := board.NewChart(&c)
		b.DrawBlast(cellNamed(t, "B3"), match.Sunk, step)
		signs := strings.NewReplacer(" ", "", "~", "", board.SignDeduced, "").Replace(strings.Join(b.DrawBare(term.Cells), ""))
		if signs = ansi.Strip(signs); signs != want+"X" {
			t.Errorf("step %d shows %q, want %q", step, signs, want+"X")
		}
	}
}
