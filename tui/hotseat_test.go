package tui

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/match"
	"broadside/match/layoutfile"
	"broadside/tui/board"
	"broadside/tui/widget"
)

// otherFleet has no cell in common with fleetText.
const otherFleet = "carrier B6 B10\nbattleship D6 D9\ncruiser F6 F8\nsubmarine H6 H8\ndestroyer J6 J7\n"

// together starts a hot-seat match of dan and eve, up to the first hiding screen.
func (d *driver) together() {
	d.press("H", "backspace", "backspace", "backspace", "d", "a", "n", "enter", "e", "v", "e", "enter")
	d.see("Hand over to dan.")
	d.frame = (&frameChecker{d: d}).check
}

// fighting starts a battle of dan and eve with both fleets, up to eve's first shot.
func (d *driver) fighting() {
	d.together()
	d.press("enter")
	d.see("Place your fleet, dan  against eve")
	d.send(tea.PasteMsg{Content: fleetText})
	d.press("enter")
	d.see("Hand over to eve.")
	d.press("enter")
	d.see("Place your fleet, eve  against dan")
	d.send(tea.PasteMsg{Content: otherFleet})
	d.press("enter")
	d.see("YOUR TURN")
}

// frameChecker checks every frame of a hot-seat match for ships of the other player.
type frameChecker struct {
	d      *driver
	looks  string // owner of the boards on the last frame; empty if there were none
	frames int    // with boards
	hidden int    // without
}

var (
	whoLooks = regexp.MustCompile(`(?:Your fleet · |Place your fleet, )(\w+)`)
)

func (l *frameChecker) check(s string) {
	t := l.d.t
	t.Helper()
	h := l.d.hot()
	if h == nil || strings.Contains(s, " WON.") || strings.Contains(s, "What next") || strings.Contains(s, "Two hidden fleets.") || !l.d.m.fits() {
		l.looks = ""
		return
	}
	found := whoLooks.FindStringSubmatch(s)
	if fights := l.d.shows("battle"); fights && found == nil && l.d.m.frame.boards.Folded {
		found = []string{"", l.d.game().own} // the named board is not shown
	}
	if found == nil {
		if strings.ContainsAny(s, "■#│") {
			t.Fatalf("a board while the terminal changes hands:\n%s", s)
		}
		l.hidden++
		l.looks = ""
		return
	}
	l.frames++
	if l.looks != "" && l.looks != found[1] {
		t.Fatalf("nothing was hidden between the boards of %s and those of %s", l.looks, found[1])
	}
	l.looks = found[1]
	side := match.First
	if h[match.Second].own == l.looks {
		side = match.Second
	}
	mine, theirs := match.Set{}, match.Set{}
	fleet := h[side].last.View.Fleets[side].Cells()
	secret := h[side.Other()].last.View.Fleets[side.Other()].Cells()
	for n, shown := range l.d.boards() {
		switch n {
		case widget.OwnBoard:
			mine = shown[board.SignHull]
		case widget.EnemyBoard:
			theirs = shown[board.SignHull]
		}
	}
	if theirs.Len() > 0 {
		t.Fatalf("%s sees ships on the enemy's board:\n%s", l.looks, s)
	}
	placing := strings.Contains(s, "Place your fleet")
	for c := range mine.All() {
		if !placing && !fleet.Has(c) {
			t.Fatalf("%s sees a ship at %v that is not theirs:\n%s", l.looks, c, s)
		}
	}
	if secret.Len() > 0 && mine == secret {
		t.Fatalf("%s sees the other's fleet:\n%s", l.looks, s)
	}
}

func TestHotSeatWholeMatch(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.fighting()
		target := map[string][]match.Cell{}
		var water []match.Cell
		dans, eves := layout(t, fleetText), layout(t, otherFleet)
		for c := range match.Classic().Board().All() {
			if mine, hers := dans.Cells(), eves.Cells(); !mine.Has(c) && !hers.Has(c) {
				water = append(water, c)
			}
		}
		hers := eves.Cells()
		for c := range hers.All() {
			target["dan"] = append(target["dan"], c)
		}
		target["eve"] = water // she loses
		for turn := 0; ; turn++ {
			name := []string{"eve", "dan"}[turn%2]
			d.see("Your fleet · " + name)
			d.see("YOUR TURN")
			c := target[name][turn/2]
			if d.game().last.View.Charts[d.game().side].At(c) == match.Deduced {
				t.Fatalf("%v is known to be water", c)
			}
			d.aim(c)
			d.press("enter")
			d.wait("the shot", func(s string) bool {
				return strings.Contains(s, "You fired at "+c.String()) || strings.Contains(s, " WON.")
			})
			if strings.Contains(d.screen(), " WON.") {
				break
			}
			d.press("enter", "space") // held too long
			d.see("press tab to hand over")
			d.press("tab", "tab", "space")
			d.see("Hand over to " + d.game().opponent)
			d.press("enter")
		}
		d.see("DAN WON. eve's last ship is sunk.")
		d.see("shots        17      17")
		d.see("eve's fleet")
		d.press("tab")
		d.see("dan's fleet")
		d.press("r") // swaps the sides: now eve defends, and begins to place
		d.see("Hand over to eve.")
		d.press("enter")
		d.see("Place your fleet, eve")
		d.press("x", "enter")
		d.see("Hand over to dan.")
		d.press("enter", "x", "enter")
		d.see("Your fleet · dan")
		d.see("YOUR TURN")
		d.press("q", "y")
		d.see("EVE WON. dan resigned.")
		d.press("esc")
		d.see("Play now")
	})
}

func layout(t *testing.T, text string) match.Layout {
	t.Helper()
	l, err := layoutfile.Parse(match.Classic(), text)
	if err != nil {
		t.Fatal(err)
	}
	return l[0]
}

func TestHotSeatNames(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("H")
		d.see("► Player 1 (defends first)")
		d.press("enter", "A", "n", "n", "enter")
		d.see("The players need two different names")
		d.press("tab", "backspace", "backspace", "backspace", "enter")
		d.see("The players need two different names")
		d.press(strings.Split("abcdefghijklmnopq", "")...)
		d.see("At most 16 characters fit here.")
		d.see("abcdefghijklmnop_")
		d.press("ä", "船", "ctrl+x") // no room, no text
		d.see("abcdefghijklmnop_")
		d.press("left")
		d.see("abcdefghijklmno_p")
		d.press("enter", "enter")
		d.see("Hand over to abcdefghijklmnop.")
	})
}

// TestHotSeatIsResumed drops the connection during a match.
func TestHotSeatIsResumed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		d := drive(t, l, ann, 80, 24)
		defer d.close()
		d.see("ann (you)")
		d.fighting()
		d.press("A", "1", "enter")
		d.see("You fired at A1")
		d.close()
		time.Sleep(10 * time.Second)
		back := drive(t, l, ann, 80, 24)
		defer back.close()
		back.frame = (&frameChecker{d: back}).check
		back.see("Hand over to dan.")
		back.press("enter")
		back.see("Your fleet · dan")
		back.see("YOUR TURN")
		elsewhere := drive(t, l, ann, 80, 24)
		defer elsewhere.close()
		elsewhere.see("You have a match in another session")
		elsewhere.press("x")
		elsewhere.see("Hand over to dan.")
		back.see("You have a match in another session")
		back.press("x")
		back.see("Hand over to dan.")
		elsewhere.see("You have a match in another session")
	})
}

// TestHotSeatClock checks that a player's clock runs only while they are at the terminal,
// and that no shot is fired before they press enter.
func TestHotSeatClock(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("n", "down", "down", "right", "right", "right", "esc")
		d.fighting()
		d.see("0:14")
		d.press("A", "1", "enter")
		d.see("You fired at A1")
		fired := func(side match.Side) int { return d.hot()[side].last.View.Charts[side].Fired }
		still := func() {
			t.Helper()
			d.pass(time.Hour)
			if a, b := fired(match.First), fired(match.Second); a != 0 || b != 1 {
				t.Fatalf("dan has fired %d times, eve %d times:\n%s", a, b, d.screen())
			}
			if s := d.screen(); strings.Contains(s, "0:") {
				t.Errorf("a clock runs:\n%s", s)
			}
		}
		still() // eve is still seated
		d.press("tab")
		d.see("Hand over to dan.")
		still() // nobody has confirmed
		d.press("enter")
		d.see("0:15")
		d.see("0:01")
		d.see("Time is up. Press enter to fire a random shot.")
		still() // dan has to press enter
		d.press("B", "7", "tab", "up")
		d.see("Time is up.")
		d.m.env.Check(d.m.env.Session.Fire(d.game().side, 0, cellNamed(t, "B7")))
		d.see("Your time is up: press enter to fire a random shot.")
		d.press("enter")
		d.see("Time is up. You fired at")
		if fired(match.First) != 1 {
			t.Errorf("dan has fired %d times", fired(match.First))
		}
		d.press("tab")
		d.see("Hand over to eve.")
		d.press("enter")
		d.see("Time is up. dan fired at")
		d.see("0:14")
	})
}

// TestHotSeatTimeIsUpDuringHandover checks that, if the clock ran out while the connection
// was lost, pressing enter to show the boards fires no shot.
func TestHotSeatTimeIsUpDuringHandover(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		d := drive(t, l, ann, 80, 24)
		defer d.close()
		d.see("ann (you)")
		d.press("n", "down", "down", "right", "right", "right", "esc")
		d.fighting()
		d.press("A", "1", "enter")
		d.see("You fired at A1")
		d.press("tab", "enter")
		d.see("0:14")
		d.close()
		time.Sleep(20 * time.Second)
		back := drive(t, l, ann, 80, 24)
		defer back.close()
		back.see("Hand over to dan.")
		back.press("enter")
		back.see("Your fleet · dan")
		back.see("Time is up.")
		back.settle()
		if n := back.game().last.View.Charts[match.First].Fired; n != 0 {
			t.Errorf("dan has fired %d times by looking", n)
		}
		back.press("enter")
		back.see("Time is up")
	})
}

// TestHotSeatRandomKeys presses random keys and checks every frame.
func TestHotSeatRandomKeys(t *testing.T) {
	keys := []string{
		"up", "down", "left", "right", "h", "j", "enter", "enter", "enter", "space", "tab", "tab", "x", "x", "esc", "u",
		"a", "B", "c", "J", "1", "2", "7", "0", "?", "n", "船", "backspace", "r", "q", "ctrl+c", "y",
	}
	frames := 0
	for seed := range uint64(3 * more) {
		rng := rand.New(rand.NewPCG(seed, 2))
		withModel(t, 80, 24, func(t *testing.T, d *driver) {
			var l *frameChecker
			for n := range 300 {
				if d.hot() == nil { // they have left
					d.m.Home("")
					d.m.env.Settings.Rules = match.Classic().WithClock([]time.Duration{0, 15 * time.Second}[rng.IntN(2)])
					d.together()
					l = &frameChecker{d: d}
					d.frame = l.check
				}
				switch rng.IntN(20) {
				case 0:
					d.send(tea.WindowSizeMsg{Width: 70 + rng.IntN(60), Height: 20 + rng.IntN(20)})
				case 1:
					d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
				case 2:
					d.settle()
				case 3:
					time.Sleep(time.Duration(rng.IntN(10)) * time.Second)
				default:
					d.press(keys[rng.IntN(len(keys)-2*min(1, n%3))]) // rarely, so as not to resign too often
				}
			}
			frames += l.frames
			d.frame = nil
		})
	}
	if frames < 500 {
		t.Errorf("only %s with boards", fmt.Sprint(frames))
	}
}
