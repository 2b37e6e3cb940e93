package tui

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/widget"
)

// frameChecker checks every frame of a hot-seat match for ships of the other player.
type frameChecker struct {
	d *driver
	// looks is the owner of the boards on the last frame, or empty if there were none.
	looks string
	// frames counts frames with boards.
	frames int
	// hidden counts frames without boards.
	hidden int
}

var (
	whoLooks = regexp.MustCompile(`(?:Your fleet · |Place your fleet, )(\w+)`)
)

func (l *frameChecker) check(s string) {
	t := l.d.t
	t.Helper()
	h := l.d.hotSeats()
	if h == nil || strings.Contains(s, " WON.") || strings.Contains(s, "What next") || strings.Contains(s, "Two hidden fleets.") || !l.d.m.hasMinimumSize() {
		l.looks = ""
		return
	}
	found := whoLooks.FindStringSubmatch(s)
	if fights := l.d.showsPage("battlePage"); fights && found == nil && l.d.m.frame.boards.ShowsOne {
		// The named board is not shown.
		found = []string{"", l.d.game().own}
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
	for n, shown := range l.d.boardSigns() {
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

// TestHotSeatRandomKeys presses random keys and checks every frame.
func TestHotSeatRandomKeys(t *testing.T) {
	keys := []string{
		"up", "down", "left", "right", "h", "j", "enter", "enter", "enter", "space", "tab", "tab", "x", "x", "esc", "u",
		"a", "B", "c", "J", "1", "2", "7", "0", "?", "n", "船", "backspace", "r", "q", "ctrl+c", "y",
	}
	frames := 0
	for seed := range uint64(3 * more) {
		rng := rand.New(rand.NewPCG(seed, 2))
		runWithModel(t, 80, 24, func(t *testing.T, d *driver) {
			var l *frameChecker
			for n := range 300 {
				// The players have left.
				if d.hotSeats() == nil {
					d.m.LeaveToLobby("")
					d.m.env.Settings.Rules = match.Classic().WithClock([]time.Duration{0, 15 * time.Second}[rng.IntN(2)])
					d.startHotSeat()
					l = &frameChecker{d: d}
					d.onFrame = l.check
				}
				switch rng.IntN(20) {
				case 0:
					d.send(tea.WindowSizeMsg{Width: 70 + rng.IntN(60), Height: 20 + rng.IntN(20)})
				case 1:
					d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
				case 2:
					d.handlePending()
				case 3:
					time.Sleep(time.Duration(rng.IntN(10)) * time.Second)
				default:
					// Use the last keys rarely, so as not to resign too often.
					d.press(keys[rng.IntN(len(keys)-2*min(1, n%3))])
				}
			}
			frames += l.frames
			d.onFrame = nil
		})
	}
	if frames < 500 {
		t.Errorf("only %s with boards", fmt.Sprint(frames))
	}
}
