package tui

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby/daily"
	"broadside/match"
	"broadside/tui/board"
)

// daily opens the Daily sea.
func (d *driver) daily() {
	d.t.Helper()
	d.press("d", "enter")
	d.waitForText("to fire at")
}

// sinkAll fires at all cells, starting with a given one, until the fleet is sunk.
func (d *driver) sinkAll(from match.Cell) {
	d.t.Helper()
	const done = "THE ENTIRE FLEET"
	for n := range 100 {
		n += 10*int(from.Y) + int(from.X)
		c := match.NewCell(n%10, n/10%10).String()
		d.typeText(c)
		d.press("enter")
		// A shot that is of no use counts as well.
		d.wait("the shot at "+c, func(s string) bool {
			return strings.Contains(s, c+": ") || strings.Contains(s, c+" is next to") || strings.Contains(s, done)
		})
		if strings.Contains(d.screen(), done) {
			return
		}
	}
	d.t.Fatal("the fleet is afloat")
}

// TestDailyWithoutStore checks the screen while the disk does not respond.
func TestDailyWithoutStore(t *testing.T) {
	h := openAccounts(t)
	d := startDriver(t, h.Lobby, h.createAccounts(t, "ann")[0], 80, 24)
	defer d.close()
	d.daily()
	if err := h.store.Close(); err != nil {
		t.Fatal(err)
	}
	d.press("A", "1", "enter")
	d.waitForText("The server cannot read its data right now")
	d.waitForText("0 shots so far")
	d.press("esc", "d", "enter")
	d.waitForText("The server cannot read its data right now")
	d.waitForText("Play now")
}

// TestDailyRandomKeys presses random keys. No shot is ever undone, and the screen never
// shows too many hits.
func TestDailyRandomKeys(t *testing.T) {
	keys := []string{
		"up", "down", "left", "right", "h", "j", "k", "l", "enter", "enter", "enter", "enter", "space", "tab", "backspace",
		"a", "B", "c", "J", "1", "2", "7", "0", "r", "s", "s", "esc", "q", "?", "y", "n", "ä", "船",
	}
	for seed := range uint64(2 * more) {
		rng := rand.New(rand.NewPCG(seed, 3))
		runWithStore(t, func(t *testing.T, h accountLobby) {
			d := startDriver(t, h.Lobby, h.createAccounts(t, "ann")[0], 80, 24)
			defer d.close()
			fired := map[string]int{}
			d.onFrame = func(screen string) {
				if !d.showsPage("dailyScreen") || !d.dailyState().read {
					return
				}
				v := d.dailyState().view
				if len(v.Cells) < fired[v.Day] {
					t.Fatalf("%d shots of %s have become %d", fired[v.Day], v.Day, len(v.Cells))
				}
				fired[v.Day] = len(v.Cells)
				hits := strings.Count(daily.ResultBlocks(v.Results), "▓") + strings.Count(daily.ResultBlocks(v.Results), "█")
				marks := 0
				for _, shown := range d.boardSigns() {
					marks += shown[board.SignHit].Len() + shown[board.SignSunk].Len()
				}
				if marks > hits {
					t.Fatalf("%d ships' cells are shown, %d were hit:\n%s", marks, hits, screen)
				}
			}
			for range 400 {
				if ok := d.showsPage("dailyScreen"); !ok {
					d.handlePending()
					d.press("esc", "esc", "d", "enter")
				}
				switch rng.IntN(20) {
				case 0:
					d.send(tea.WindowSizeMsg{Width: 1 + rng.IntN(300), Height: 1 + rng.IntN(100)})
				case 1:
					d.send(tea.WindowSizeMsg{Width: 80 + rng.IntN(60), Height: 24 + rng.IntN(20)})
				case 2, 3:
					d.handlePending()
				case 4:
					time.Sleep(time.Duration(rng.IntN(3)) * time.Hour)
				default:
					d.press(keys[rng.IntN(len(keys))])
				}
			}
			if len(fired) == 0 {
				t.Fatal("the daily sea was never seen")
			}
		})
	}
}
