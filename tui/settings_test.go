package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby/account"
	"broadside/tui/term"
)

// point selects the setting with a name.
func (d *driver) point(name string) {
	d.t.Helper()
	for range 30 {
		if strings.Contains(d.screen(), "► "+name) {
			return
		}
		d.press("down")
	}
	d.t.Fatalf("there is no setting %q on\n%s", name, d.screen())
}

// The numbers of settings of the player and of a new match.
const (
	settingsCount = 10
	newMatchCount = 9
)

// TestSettingsAreStored changes all settings and checks them in a new session.
func TestSettingsAreStored(t *testing.T) {
	runWithStore(t, func(t *testing.T, h accountLobby) {
		d := h.connect(t, "ann", "SHA256:one", languageConfig("en"))
		d.press("n")
		d.waitForText("Choose a player name.")
		// The account gets the guest's settings.
		d.press("esc")
		d.waitForText("You are an unrated guest")
		change := func(key, first string, count int) {
			d.press(key)
			for range count {
				d.press("right", "down")
			}
			// There are no more settings.
			d.waitForText("► " + first)
			d.press("esc")
		}
		change("n", "Opponent", newMatchCount)
		change("s", "Language", settingsCount)
		d.press("a")
		d.waitForText("Choose a player name.")
		d.press("enter")
		d.waitForText("ann (you)")
		want := d.m.env.Settings
		synctest.Wait()
		again := h.connect(t, "x", "SHA256:one", languageConfig("en"))
		again.waitForText("ann (you)")
		if got := again.m.env.Settings; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("they come back as\n%+v, want\n%+v", got, want)
		}
		if want.Rules.Name != "custom" || want.Notify == "" || !want.DoNotDisturb || !want.HideChat || want.Bot == "" || want.Rules.Clock == 0 {
			t.Errorf("not all was changed: %+v", want)
		}
		again.waitForText("do not disturb")

		// A key that is linked to the account has no settings.
		again.press("a", "l")
		again.waitForText("single use")
		code := linkCode.FindStringSubmatch(again.screen())[1]
		other := h.connect(t, "new", "SHA256:two", languageConfig("en"))
		other.press("a")
		other.waitForText("Link this key")
		other.press(strings.Split(code, "")...)
		other.press("enter")
		other.waitForText("ann (you)")
		if got := other.m.env.Settings; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("the other key has\n%+v, want\n%+v", got, want)
		}
	})
}

// TestRandomSettings presses random keys on the settings screen. Every set of
// rules that results must be playable.
func TestRandomSettings(t *testing.T) {
	keys := []string{"up", "down", "down", "left", "right", "enter", "0", "1", "2", "5", "6", "9", "backspace", "esc", "s", "?", "tab"}
	for seed := range uint64(2 * more) {
		rng := rand.New(rand.NewPCG(seed, 3))
		runWithModel(t, 80, 24, func(t *testing.T, d *driver) {
			for range 120 {
				if ok := d.showsPage("settingsSheet") || d.showsPage("newMatch"); !ok {
					d.m.LeaveToLobby("")
					d.press([]string{"s", "n"}[rng.IntN(2)])
				}
				d.press(keys[rng.IntN(len(keys))])
				if rng.IntN(20) == 0 {
					d.send(tea.WindowSizeMsg{Width: 40 + rng.IntN(100), Height: 16 + rng.IntN(30)})
				}
			}
			if err := d.m.env.Settings.Rules.Validate(); err != nil {
				t.Errorf("%+v: %v", d.m.env.Settings.Rules, err)
			}
			if err := account.CheckClock(d.m.env.Settings.Rules.Clock); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestSeaFollowsTheLine checks the sea of each setting on fast and slow lines.
func TestSeaFollowsTheLine(t *testing.T) {
	runWithModel(t, 80, 24, func(t *testing.T, d *driver) {
		sea := func(slow bool, want term.Detail) {
			t.Helper()
			d.send(term.SlowLine(slow))
			if got := d.m.palette.Detail(); got != want {
				t.Errorf("on a line that is slow=%v, with the setting %q: detail %d, want %d", slow, d.m.env.Settings.Sea, got, want)
			}
		}
		sea(false, term.Waves)
		sea(true, term.Shapes)
		sea(false, term.Waves)
		d.press("s")
		d.point("Sea")
		d.press("right")
		sea(true, term.Waves)
		d.press("right")
		sea(false, term.Shapes)
	})
}
