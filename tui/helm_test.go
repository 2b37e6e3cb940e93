package tui

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/match"
	"broadside/words"
)

// navalText is a fleet for naval, sterns first.
const navalText = `battleship B1 B5
cruiser B7 B10
cruiser D4 D1
destroyer D6 D8
destroyer F1 F3
destroyer F7 F5
submarine H1 H2
submarine H5 H4
submarine H8 H7
submarine I10 J10
`

// atSea brings two people into a naval battle with the same fleet each. Ann
// defends first.
func atSea(t *testing.T, clock time.Duration, width, height int, l words.Language, test func(a, b *driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		hall := hall()
		defer hall.Close()
		a := driveWith(t, Config{Lobby: hall, Player: ann, Width: width, Height: height, Language: l})
		defer a.close()
		b := drive(t, hall, bob, 80, 24)
		defer b.close()
		for _, d := range []*driver{a, b} {
			d.m.settings.Rules = match.Naval().WithClock(clock)
			d.press("p")
			d.pass(time.Second)
		}
		for _, d := range []*driver{a, b} {
			d.wait("placing", func(string) bool { _, ok := d.m.screen.(*placeScreen); return ok })
			d.pass(time.Second)
			d.send(tea.PasteMsg{Content: navalText})
			d.press("enter")
			d.pass(time.Second)
		}
		test(a, b)
	})
}

// shoot fires at a cell, and lets the other one hear of it.
func (d *driver) shoot(at string, other *driver) {
	d.t.Helper()
	fired := d.m.game.last.View.Charts[d.m.game.side].Fired
	d.m.screen.(*battleScreen).at = cellNamed(d.t, at)
	d.press("enter")
	d.wait("the answer", func(string) bool { return d.m.game.last.View.Charts[d.m.game.side].Fired > fired })
	other.pass(time.Second)
}

// lies tells where a ship of the person lies.
func (d *driver) lies(i int) string {
	ship := d.m.game.last.View.Fleets[d.m.game.side][i]
	return ship.Stern.String() + " " + ship.Bow().String()
}

func (d *driver) mayMove() bool { return d.m.game.last.View.MayMove }

// TestNavalScreens draws what is particular to ships that move.
func TestNavalScreens(t *testing.T) {
	for _, l := range words.Languages() {
		for _, size := range [][2]int{{100, 30}, {80, 24}, {40, 16}} {
			atSea(t, 15*time.Second, size[0], size[1], l, func(a, b *driver) {
				name := func(s string) string { return fmt.Sprintf("%v-naval-%s", l, s) }
				b.shoot("D6", a)
				a.golden(name("first"))
				a.press("1", "right")
				a.golden(name("reason"))
				a.press("0")
				a.golden(name("hand"))
				a.press("p")
				a.golden(name("aim"))
				for i, c := range []string{"A1", "B1", "C7", "D4", "E9", "J1", "J2", "J3", "J4", "J5", "J6", "J7"} {
					a.shoot(c, b)
					b.press("p")
					b.pass(time.Second)
					b.shoot([]string{"A1", "D7", "F6"}[i%3], a)
					if i == 1 {
						a.press("0", "up")
					} else {
						a.press("p")
					}
					a.pass(time.Second)
				}
				a.golden(name("old"))
			})
		}
	}
}

// TestMovesByKeys moves, passes and is told why not.
func TestMovesByKeys(t *testing.T) {
	for _, c := range []struct {
		shot string
		keys string
		want string // where ship n lies then, as "n stern bow"; or what is said
	}{
		{"A1", "p", "1 B1 B5"},
		{"A1", "enter", "1 B1 B5"},
		{"A1", "space", "1 B1 B5"},
		{"A1", "0 up", "0 H10 I10"},
		{"A1", "0 b", "0 H10 I10"},
		{"A1", "0 k", "0 H10 I10"},
		{"A1", "tab tab p", "1 B1 B5"},
		{"A1", "I 1 0 enter b", "0 H10 I10"},
		{"A1", "6 b", "6 F8 F6"},
		{"A1", "6 left esc 0 up", "0 H10 I10"},
		{"A1", "0 left", "The submarine would lie too close"},
		{"A1", "0 down", "The submarine would leave the board"},
		{"H10", "0 up", "The submarine would lie at H10, where one of the last 3 shots fell"},
		{"A1", "C 3 enter", "There is no ship of yours at C3"},
		{"A1", "0 enter", "Choose where it moves"},
	} {
		atSea(t, 0, 80, 24, words.English, func(a, b *driver) {
			b.shoot(c.shot, a)
			a.press(strings.Fields(c.keys)...)
			n := int(c.want[0] - '0')
			if n > 9 {
				a.see(c.want)
				return
			}
			a.wait("the move", func(string) bool { return !a.mayMove() })
			if got := fmt.Sprint(n, " ", a.lies((n+9)%10)); got != c.want {
				t.Errorf("%s leads to %s, want %s", c.keys, got, c.want)
			}
		})
	}
}
