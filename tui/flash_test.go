package tui

import (
	"strings"
	"testing"
	"time"

	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/component"
)

// TestFlash follows the animation of a shot: the picture changes, keys are not delayed, and
// nothing keeps running afterwards.
func TestFlash(t *testing.T) {
	for _, still := range []bool{false, true} {
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.begin()
			d.m.env.Settings.NoAnimation = still
			var seen []string
			d.frame = func(string) {
				at := cellNamed(t, "B7")
				for sign, cells := range d.boards()[component.EnemyBoard] {
					if cells.Has(at) && strings.Contains(".o"+board.SignMiss+board.SignHit, sign) && (len(seen) == 0 || seen[len(seen)-1] != sign) {
						seen = append(seen, sign)
					}
				}
			}
			d.press("B", "7", "enter", "left")
			d.see("You fired at B7")
			d.press("right", "down") // at once
			if at := d.cursor(); at != cellNamed(t, "C7") {
				t.Errorf("keys have moved the cursor to %v", at)
			}
			d.pass(time.Second)
			d.frame = nil
			if s := d.boards()[component.EnemyBoard]["."]; s.Has(cellNamed(t, "B7")) {
				t.Error("the flash is not over after a second")
			}
			got := strings.Join(seen, "")
			want := map[bool]string{false: "." + "o" + board.SignMiss, true: board.SignMiss}[still]
			if !strings.HasSuffix(got, want) || still && strings.Contains(got, "o") {
				t.Errorf("still %v: the shot was shown as %q, want %q at the end", still, got, want)
			}
		})
	}
}

// TestAnimationOfSinking checks that the whole sunk ship moves, and nothing else.
func TestAnimationOfSinking(t *testing.T) {
	c := match.NewChart(match.Classic())
	c.Record(cellNamed(t, "B2"), match.Hit)
	c.Record(cellNamed(t, "B3"), match.Sunk)
	c.Record(cellNamed(t, "H8"), match.Hit)
	count := func(step int) (n int) {
		b := board.Chart(&c)
		b.Blast(cellNamed(t, "B3"), step, true)
		for _, l := range b.Bare() {
			n += strings.Count(l, "*") + strings.Count(l, "+")
		}
		return n
	}
	for step, want := range []int{1, 2, 2, 0} {
		if got := count(step); got != want {
			t.Errorf("step %d changes %d cells, want %d", step, got, want)
		}
	}
}
