package tui

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby/account"
	"broadside/tui/term"
)

// TestUpdateNeverWaits presses each key of every screen while each call of the database takes
// two seconds. The clock of the bubble stands still unless something waits, so that an Update
// that waits for the database takes time, and one that does not takes none.
func TestUpdateNeverWaits(t *testing.T) {
	for _, keys := range barScreens {
		words := strings.Fields(keys)
		t.Run(words[0], func(t *testing.T) {
			delay := new(storeDelay)
			synctest.Test(t, func(t *testing.T) {
				d := openRecords(t, 80, 24, delay)
				for _, name := range []string{"carol", "dave"} {
					other := startDriver(t, d.lobby, account.Player{ID: name, Name: name}, 80, 24)
					defer other.close()
					other.press("b", "enter", "x", "enter")
				}
				// Any number of casual matches can be aborted.
				d.m.env.Settings.Casual = true
				tried := map[string]bool{}
				for {
					if d.m.help = false; d.m.isPlaying() {
						d.m.env.CheckAction(d.m.env.Session.Resign(d.m.match.Side))
						d.handleFor(time.Second)
					}
					d.m.LeaveToLobby("")
					// Draw the lobby.
					d.send(struct{}{})
					d.handleFor(time.Second)
					for _, k := range words[1:] {
						d.press(k)
						d.handleFor(time.Second)
					}
					k := d.untried(tried)
					if k == "" {
						return
					}
					tried[k] = true
					delay.Store(int64(2 * time.Second))
					d.atOnce(k, keyMsg(k))
					d.atOnce(k+" again", keyMsg(k))
					d.atOnce("a resize after "+k, tea.WindowSizeMsg{Width: 100, Height: 30})
					for range 5 {
						d.handleFor(time.Second)
						d.atOnce("the clock after "+k, nil)
					}
					d.atOnce("enter after "+k, keyMsg("enter"))
					d.atOnce("y after "+k, keyMsg("y"))
					delay.Store(0)
					d.handleFor(10 * time.Second)
					d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
				}
			})
		})
	}
}

// untried returns a key of the current screen that is not in tried, or "".
func (d *driver) untried(tried map[string]bool) string {
	var keys []string
	for _, a := range d.m.currentScreen().Actions() {
		keys = append(keys, a.Keys.List()...)
	}
	for z := range term.Zones(d.m.frame.frame.Lines) {
		keys = append(keys, z.Key)
	}
	keys = append(keys, "enter", "esc", "up", "down", "tab", "y")
	for _, k := range keys {
		if k != "" && !tried[k] {
			return k
		}
	}
	return ""
}

// atOnce sends a message, which the model must handle without waiting.
func (d *driver) atOnce(what string, msg tea.Msg) {
	d.t.Helper()
	before := time.Now()
	d.send(msg)
	if took := time.Since(before); took > 0 {
		d.t.Errorf("Update waits for %v at %s on\n%s", took, what, d.screen())
	}
}
