package tui

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/test/lobbytest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/tui/term"
)

var update = flag.Bool("update", false, "write the golden screens anew")

var (
	ann = account.Player{ID: "key-ann", Name: "ann"}
	bob = account.Player{ID: "key-bob", Name: "bob"}
)

// fleetText is a fleet as players paste it.
const fleetText = "carrier A1 A5\nbattleship C1 C4\ncruiser E1 E3\nsubmarine G1 G3\ndestroyer I1 I2\n"

// newLobby returns a lobby. Close it before the bubble ends.
func newLobby() *lobby.Lobby { return lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1}) }

// withModel runs a test with one player in a lobby and a clock that advances only while all
// goroutines wait.
func withModel(t *testing.T, width, height int, test func(t *testing.T, d *driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		d := drive(t, l, ann, width, height)
		defer d.close()
		d.wait("the lobby", func(string) bool { return len(d.m.env.Lobby.People) > 0 })
		test(t, d)
	})
}

// challenge starts a match against easy, up to the placement.
func (d *driver) challenge() {
	d.press("b", "1")
	d.see("Place your fleet")
}

// begin starts a battle against easy, in which the player fires first.
func (d *driver) begin() {
	d.challenge()
	fleet := fleetText
	if d.m.env.Settings.Rules.Moving {
		fleet = navalText
	}
	d.send(tea.PasteMsg{Content: fleet})
	d.press("enter")
	d.see("YOUR TURN")
}

func TestTerminalTooSmall(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.begin()
		d.press("E", "5")
		before := d.screen()
		d.send(tea.WindowSizeMsg{Width: 39, Height: 24})
		if s := d.screen(); !strings.Contains(s, "needs 40×16") || !strings.Contains(s, "Your window is 39×24") {
			t.Errorf("too small a screen says\n%s", s)
		}
		d.press("enter", "q", "y") // must do nothing, because its board is hidden
		d.settle()
		d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
		if after := d.screen(); after != before {
			t.Errorf("the screen did not come back as it was:\n%s", after)
		}
	})
}

func TestPausedMatch(t *testing.T) {
	pair(t, 80, 24, func(t *testing.T, _ *lobby.Lobby, a, b *driver) {
		fight(a, b)
		b.see("YOUR TURN")
		b.game().last.Paused = true
		b.see("The match is paused. The server can't save it at the moment.")
		b.game().last.Paused = false
		b.see("YOUR TURN")
	})
}

func TestEnemyBoardIsInertOutOfTurn(t *testing.T) {
	pair(t, 80, 24, func(t *testing.T, l *lobby.Lobby, a, b *driver) {
		fight(a, b)
		a.see("bob is aiming")
		a.press("E", "5", "enter")
		a.see("It is not your turn")
		b.see("YOUR TURN")
		b.press("E", "5", "enter")
		b.see("You fired at E5")
		a.see("bob fired at E5")
		a.press("E", "6", "enter")
		b.see("ann fired at E6")
		b.press("E", "5", "enter")
		b.see("You have already fired at E5")
		b.see("YOUR TURN")

		b.close() // the connection drops
		a.see("bob lost the connection")
		a.see("bob is away. You can claim the win in 1:00.")
		back := drive(t, l, bob, 100, 30)
		defer back.close()
		back.see("YOUR TURN")
		a.see("bob is back.")
		time.Sleep(time.Hour)
		elsewhere := drive(t, l, bob, 80, 24)
		defer elsewhere.close()
		const offer = "You have a match in another session: press x to continue it here."
		elsewhere.see(offer) // and the match has not changed
		back.see("YOUR TURN")
		elsewhere.press("x")
		elsewhere.see("YOUR TURN")
		back.see(offer)
		back.golden("taken")
		back.press("?", "esc") // the position of the shot is still shown
		back.see(offer)
		back.press("x")
		back.see("YOUR TURN")
		elsewhere.see(offer)
		elsewhere.fits("a match that was taken")
		elsewhere.press("x")
		elsewhere.see("YOUR TURN")
		back.see(offer)
		a.press("!")
		a.see("You cannot claim the win")
		elsewhere.press("q", "y")
		a.see("YOU WON")
		back.wait("the match to be over", func(s string) bool { return !strings.Contains(s, "another session") })
		back.press("x")
		back.see("You have no match to continue.")
		a.press("r")
		elsewhere.see("ann wants a rematch")
		elsewhere.press("r")
		a.see("Place your fleet")
		elsewhere.see("Place your fleet")
	})
}

func TestDeducedWaterIsRefused(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.begin()
		for y := range 10 {
			for x := range 10 {
				chart := d.game().last.View.Charts[d.game().side]
				if chart.At(match.At(x, y)) == match.Deduced {
					d.press(string(rune('A'+y)), fmt.Sprint((x+1)/10%10), fmt.Sprint((x+1)%10))
					d.aim(match.At(x, y))
					d.press("enter")
					d.see(match.At(x, y).String() + " is next to a sunk ship")
					return
				}
				if chart.At(match.At(x, y)) == match.Unknown {
					d.aim(match.At(x, y))
					d.press("enter")
					d.see("You fired at " + match.At(x, y).String())
					d.wait("the next turn", func(s string) bool { return strings.Contains(s, "YOUR TURN") || strings.Contains(s, "YOU ") })
				}
			}
		}
		t.Error("no ship was ever sunk")
	})
}

// TestIdleLobbySendsNothing leaves the lobby idle for an hour.
func TestIdleLobbySendsNothing(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.see("is aiming") // two bots
		d.pass(idleTime)
		d.see("paused until you press a key")
		d.pass(time.Second)
		if d.next(time.After(time.Hour)) {
			t.Error("something was drawn anew")
		}
		d.press("c")
		d.see("is aiming")
	})
}

func TestForeignNamesAreClean(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		evil := account.Player{ID: "evil", Name: "\x1b[2J\u202eevil\u200b\u0301" + strings.Repeat("船", 40)}
		e := drive(t, l, evil, 80, 24)
		defer e.close()
		e.press("p")
		d := drive(t, l, ann, 80, 24)
		defer d.close()
		d.wait("the other", func(s string) bool { return strings.Count(s, "evil") == 2 })
		if s := d.content(); strings.Contains(s, "\u202e") || strings.Contains(s, "\x1b[2J") || strings.Contains(s, "\u200b") {
			t.Error("a name brought its control characters to another's screen")
		}
		d.press("p")
		d.see("Place your fleet")
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
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			switch seed % 3 {
			case 1:
				d.m.env.Settings.Rules = match.Naval().WithClock(time.Duration(rng.IntN(2)) * 15 * time.Second)
				d.begin()
			case 0:
				if rules, err := match.Custom(5+rng.IntN(22), 1+rng.IntN(3), match.Contact(rng.IntN(3))); err == nil {
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
					d.settle()
				case 5:
					d.send(tea.WindowSizeMsg{Width: 20 + rng.IntN(60), Height: 5 + rng.IntN(20)})
				case 6:
					d.m.env.Lang = i18n.Languages()[rng.IntN(len(i18n.Languages()))]
					d.m.SetAppearance(term.Appearance{Theme: append(term.Themes(), "pink")[rng.IntN(8)], Glyphs: term.Glyphs(rng.IntN(4)), NoMouse: rng.IntN(9) == 0})
					d.m.env.Settings.NoAnimation = rng.IntN(2) == 0
					d.check()
				case 7, 8, 9:
					d.randomMouse(rng)
				case 4: // long enough for bots to shoot
					d.pass(time.Duration(rng.IntN(3000)) * time.Millisecond)
				default:
					d.press(keys[rng.IntN(len(keys))])
				}
			}
		})
	}
}
