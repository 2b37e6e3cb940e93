package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/internal/store"
	"broadside/internal/test/storetest"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/screen"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
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

// withMoves starts a naval battle between two people with the same fleet. Ann defends
// first.
func withMoves(t *testing.T, clock time.Duration, width, height int, l i18n.Language, test func(a, b *driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		everyone := newLobby()
		defer everyone.Close()
		a := driveWith(t, session.Config{Lobby: everyone, Player: ann}, Config{Width: width, Height: height, Language: l})
		defer a.close()
		b := drive(t, everyone, bob, 80, 24)
		defer b.close()
		for _, d := range []*driver{a, b} {
			d.m.env.Settings.Rules = match.Naval().WithClock(clock)
			d.press("p")
			d.pass(time.Second)
		}
		for _, d := range []*driver{a, b} {
			d.wait("placing", func(string) bool { ok := d.shows("place"); return ok })
			d.pass(time.Second)
			d.send(tea.PasteMsg{Content: navalText})
			d.press("enter")
		}
		for _, d := range []*driver{a, b} {
			d.wait("the battle", func(string) bool { return d.game().last.View.Phase == match.Battle })
		}
		test(a, b)
	})
}

// shoot fires at a cell, and lets the other player's screen receive the shot.
func (d *driver) shoot(at string, other *driver) {
	d.t.Helper()
	fired := d.game().last.View.Charts[d.game().side].Fired
	d.aim(cellNamed(d.t, at))
	d.press("enter")
	d.wait("the answer", func(string) bool { return d.game().last.View.Charts[d.game().side].Fired > fired })
	other.pass(time.Second)
}

// lies returns the position of one of the player's ships.
func (d *driver) lies(i int) string {
	ship := d.game().last.View.Fleets[d.game().side][i]
	return ship.Stern.String() + " " + ship.Bow().String()
}

func (d *driver) mayMove() bool { return d.game().last.View.MayMove }

// TestNavalScreens draws the screens that are specific to moving ships.
func TestNavalScreens(t *testing.T) {
	for _, l := range []i18n.Language{i18n.English, i18n.MustParse("de")} {
		withMoves(t, 15*time.Second, 80, 24, l, func(a, b *driver) {
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

// TestMovesByKeys moves and passes, and tries illegal moves.
func TestMovesByKeys(t *testing.T) {
	for _, c := range []struct {
		shot string
		keys string
		want string // then the position of ship n, as "n stern bow", or the notice
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
		{"A1", "0 left", "The submarine would be too close"},
		{"A1", "0 down", "The submarine would leave the board"},
		{"H10", "0 up", "The submarine would be on H10, where one of the last 3 shots fell"},
		{"A1", "C 3 enter", "You have no ship at C3"},
		{"A1", "0 enter", "Choose a direction"},
	} {
		withMoves(t, 0, 80, 24, i18n.English, func(a, b *driver) {
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

// TestMovesByMouse picks up ships and moves them with clicks, on boards of all sizes.
func TestMovesByMouse(t *testing.T) {
	for _, size := range [][2]int{{40, 16}, {80, 24}, {100, 30}} {
		for _, c := range []struct {
			clicks []string // cells of one's own board; "!" is the button that passes
			want   string   // then the position of the tenth ship
		}{
			{[]string{"J10", "H10"}, "H10 I10"},
			{[]string{"B3", "B3", "I10", "H10"}, "H10 I10"},
			{[]string{"F6", "I10", "A10", "H10"}, "H10 I10"},
			{[]string{"!"}, "I10 J10"},
			{[]string{"I10", "!"}, "I10 J10"},
		} {
			withMoves(t, 15*time.Second, size[0], size[1], i18n.English, func(a, b *driver) {
				b.shoot("A1", a)
				for _, at := range c.clicks {
					if at != "!" {
						a.click(widget.OwnBoard, at)
						continue
					}
					a.screen()
					zones := slices.Collect(term.Zones(a.m.frame.shown.Lines))
					pass := zones[slices.IndexFunc(zones, func(z term.Zone) bool { return z.Key == "p" && z.Line < a.m.height-1 })]
					top := pass.Line
					if line := strings.Split(a.screen(), "\n")[top]; !strings.Contains(line, "p pass") || pass.Left != text.Width(line[:strings.Index(line, "p pass")]) {
						t.Fatalf("the button that passes should be at %d of\n%s", pass.Left, line)
					}
					a.send(tea.MouseClickMsg{X: pass.Left, Y: top, Button: tea.MouseLeft})
				}
				a.wait("the move", func(string) bool { return !a.mayMove() })
				if got := a.lies(9); got != c.want {
					t.Errorf("%v leads to %s, want %s", c.clicks, got, c.want)
				}
				a.click(widget.EnemyBoard, "C3")
				a.click(widget.EnemyBoard, "C3")
				a.wait("the answer", func(string) bool { return a.game().last.View.Charts[a.game().side].Fired == 1 })
			})
		}
	}
	withMoves(t, 0, 80, 24, i18n.English, func(a, b *driver) {
		b.shoot("A1", a)
		a.click(widget.EnemyBoard, "C3")
		if a.settle(); !a.mayMove() {
			t.Error("aiming passes")
		}
		a.click(widget.EnemyBoard, "C3") // firing passes the move
		a.wait("the answer", func(string) bool { return a.game().last.View.Charts[a.game().side].Fired == 1 })
	})
}

// TestMovesAreHiddenFromOpponent checks that the opponent's screen is the same whether or
// not a ship moves.
func TestMovesAreHiddenFromOpponent(t *testing.T) {
	var seen [2][]string
	for i, keys := range [][]string{{"0", "up"}, {"p"}} {
		withMoves(t, 15*time.Second, 80, 24, i18n.English, func(a, b *driver) {
			b.shoot("A1", a)
			began := time.Now()
			last := ""
			b.frame = func(s string) {
				if s != last { // a terminal receives nothing for a frame that is the same
					seen[i] = append(seen[i], fmt.Sprint(time.Since(began), s))
				}
				last = s
			}
			const step = 490 * time.Millisecond // never ends when the clock changes
			for range 5 {
				b.pass(step)
			}
			a.press(keys...)
			for range 7 {
				b.pass(step)
			}
			if a.settle(); a.mayMove() {
				t.Errorf("%v is no move", keys)
			}
			b.frame = nil
		})
	}
	if len(seen[0]) != len(seen[1]) {
		t.Fatalf("%d frames with a move, %d without", len(seen[0]), len(seen[1]))
	}
	for n := range seen[0] {
		if seen[0][n] != seen[1][n] {
			t.Errorf("frame %d shows whether a ship moved:\n%s\n%s", n, seen[0][n], seen[1][n])
		}
	}
}

// unhit returns a cell of the player's fleet that is not hit.
func (d *driver) unhit() match.Cell {
	v := &d.game().last.View
	for i, ship := range v.Fleets[d.game().side] {
		for n := range ship.Length {
			if !v.Damage[d.game().side].Hit(i, n) {
				return ship.Stern.Step(ship.Heading, n)
			}
		}
	}
	return match.At(0, 0)
}

// TestNavalMatch plays a whole match between two people, who move a ship whenever possible,
// and then watches the replay.
func TestNavalMatch(t *testing.T) {
	withMoves(t, 0, 80, 24, i18n.English, func(a, b *driver) {
		over := func(d *driver) bool { return d.game().last.View.Phase == match.Over }
		moves := 0
		for !over(a) {
			for _, d := range []*driver{a, b} {
				v := &d.game().last.View
				if over(a) || v.Turn != d.game().side || v.Pending {
					continue
				}
				if v.MayMove {
					d.press("tab")
					helm := v.Helm(d.game().side)
					if legal := helm.Moves(); len(legal) > 0 {
						moves++
						ship := *peek[int](d.page(), "move", "hand")
						for _, m := range legal {
							if m.Ship() == ship {
								d.press(string("fbca"[m.Manoeuvre()]))
								break
							}
						}
					}
					d.wait("the move", func(string) bool { return !d.mayMove() })
				}
				other := b
				if d == b {
					other = a
				}
				chart := &d.game().last.View.Charts[d.game().side]
				at := chart.Open().Nth(chart.Fired % 7)
				if chart.Fired%2 == 0 { // otherwise they would never find each other
					at = other.unhit()
				}
				d.shoot(at.String(), other)
			}
		}
		if moves < 20 {
			t.Errorf("only %d moves were made", moves)
		}
		v := a.game().last.View
		a.see(fmt.Sprintf("%d rounds in %s.", v.Rounds(), narrate.Clock(v.Took)))
	})
}

// TestReplayWithMoves draws the replay of a match with moves, and the help.
func TestReplayWithMoves(t *testing.T) {
	m := storetest.Match(2, match.Naval(), "ann", "bob")
	for _, l := range []i18n.Language{i18n.English, i18n.MustParse("de")} {
		f, err := text.NewReplay(l, m)
		if err != nil {
			t.Fatal(err)
		}
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.m.env.Lang = l
			d.m.Open(screen.NewReplay(d.m.env, f, &store.Summary{}, session.Review{}, 0))
			at := peek[int](d.page(), "at")
			for *at = 45; f.Move(*at) == ""; {
				d.press("right")
			}
			d.golden(fmt.Sprintf("%v-naval-film", l))
			d.press("a")
			d.wait("the admiral's thoughts", func(string) bool {
				advice := *peek[*text.Advice](d.page(), "advice")
				return advice != nil && advice.Frame == *at
			})
			d.golden(fmt.Sprintf("%v-naval-admiral", l))
			d.press("a", "?")
			d.golden(fmt.Sprintf("%v-naval-help", l))
		})
	}
}

// TestNavalHotSeat lets two people move at one terminal: neither sees the other's moves.
func TestNavalHotSeat(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 16}} {
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			d.m.env.Settings.Rules = match.Naval()
			d.together()
			d.press("enter")
			d.see("Place your fleet, dan  against eve")
			d.send(tea.PasteMsg{Content: navalText})
			d.press("enter")
			d.see("Hand over to eve.")
			d.press("enter")
			d.see("Place your fleet, eve  against dan")
			d.press("x", "enter")
			d.see("YOUR TURN")
			d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			fire := func(at string) {
				t.Helper()
				fired := d.game().last.View.Charts[d.game().side].Fired
				d.aim(cellNamed(t, at))
				d.press("enter")
				d.wait("the answer", func(string) bool { return d.game().last.View.Charts[d.game().side].Fired > fired })
				d.settle()
				d.press("tab")
			}
			fire("A1")
			d.see("Hand over to dan.")
			if s := d.screen(); strings.Contains(s, "move") {
				t.Errorf("before anybody looks, the screen says\n%s", s)
			}
			d.press("enter")
			d.see("p pass")
			d.press("0", "up")
			d.wait("the move", func(string) bool { return !d.mayMove() })
			d.see(map[int]string{80: "Your submarine is now at H10 to I10.", 40: "to fire at"}[size[0]])
			fire("A1")
			d.see("Hand over to eve.")
			d.press("enter")
			d.see("p pass")
			if s := d.screen(); strings.Contains(s, "is now at") || strings.Contains(s, "H10") {
				t.Errorf("eve is told of dan's move:\n%s", s)
			}
			d.press("p")
			d.wait("the pass", func(string) bool { return !d.mayMove() })
			fire("A1")
			d.see("Hand over to dan.")
		})
	}
}
