package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/tui/board"
	"broadside/tui/widget"
)

// TestWatchingShowsNothingHidden watches a whole match, and checks that no ship is visible
// before it is hit or the match ends.
func TestWatchingShowsNothingHidden(t *testing.T) {
	runWithSpectator(t, 100, 30, func(t *testing.T, l *lobby.Lobby, d *driver, m *stagedMatch) {
		d.press("w")
		d.waitForText("2  ann – bob")
		d.press("2")
		d.waitForText("Players are placing ships.")
		m.placeFleets()
		hits := 0
		for y := range 10 {
			for x := range 10 {
				cell := match.NewCell(x, y)
				m.fire(cell.String(), cell.String())
				d.wait("the shots", func(s string) bool {
					return strings.Contains(s, "ann fired at "+cell.String()) || strings.Contains(s, "bob won.")
				})
				s := d.screen()
				if strings.Contains(s, "bob won.") {
					if !strings.Contains(s, "bob's fleet") || !strings.Contains(s, "■") {
						t.Errorf("the fleets are not shown after the end:\n%s", s)
					}
					if hits < 16 {
						t.Errorf("%d hits were seen on each side", hits)
					}
					return
				}
				ships := d.boardSigns()[widget.OwnBoard][board.SignHull].Union(d.boardSigns()[widget.EnemyBoard][board.SignHull])
				if !ships.IsEmpty() || strings.Contains(s, "'s fleet") {
					t.Fatalf("a ship is seen before it is hit:\n%s", s)
				}
				if strings.Contains(s, cell.String()+": hit") || strings.Contains(s, cell.String()+": sunk") {
					hits++
				}
			}
		}
		t.Error("the match did not end")
	})
}

// TestWatchingFastMatch watches a very short match.
func TestWatchingFastMatch(t *testing.T) {
	runWithSpectator(t, 80, 24, func(t *testing.T, l *lobby.Lobby, d *driver, m *stagedMatch) {
		m.placeFleets()
		d.press("w")
		d.waitForText("2  ann – bob")
		d.press("2")
		d.waitForText("bob is aiming.")
		drawn := 0
		for y := range 10 {
			for x := range 10 {
				m.fire(match.NewCell(x, y).String(), match.NewCell(9-x, y).String())
			}
		}
		d.wait("the end", func(s string) bool { drawn++; return strings.Contains(s, "'s fleet") })
		if drawn > 10 {
			t.Errorf("a match that took no time was drawn %d times", drawn)
		}
	})
}

// TestRandomKeysWhileWatching presses random keys in terminals of random sizes during
// matches of several rule sets. The driver checks every frame.
func TestRandomKeysWhileWatching(t *testing.T) {
	large, err := match.CustomRules(26, 10, match.TouchNone)
	if err != nil {
		t.Fatal(err)
	}
	rules := []match.Rules{match.Classic(), match.Hasbro().WithClock(15 * time.Second), large}
	keys := []string{"w", "w", "w", "1", "2", "3", "9", "up", "down", "left", "right", "enter", "tab", "esc", "q", "?", "x", "船"}
	ends := 0
	for seed := range uint64(5 * more) {
		rng := rand.New(rand.NewPCG(seed, 2))
		runWithModel(t, 100, 30, func(t *testing.T, d *driver) {
			var matches []*stagedMatch
			for i := range 300 {
				switch rng.IntN(12) {
				case 0:
					d.send(tea.WindowSizeMsg{Width: 1 + rng.IntN(300), Height: 1 + rng.IntN(100)})
				case 1:
					d.send(tea.WindowSizeMsg{Width: 80 + rng.IntN(60), Height: 24 + rng.IntN(20)})
				case 2:
					if len(matches) < 4 {
						r := rules[rng.IntN(len(rules))]
						m := startStagedMatch(t, d.lobby, account.Player{Name: fmt.Sprint("a", i)}, account.Player{Name: fmt.Sprint("b", i)}, r)
						m.first.Place(r.RandomLayout(rng))
						m.sec.Place(r.RandomLayout(rng))
						matches = append(matches, m)
					}
				case 3:
					if n := len(matches); n > 0 && rng.IntN(3) == 0 {
						matches[n-1].first.Resign()
						matches = matches[:n-1]
					}
				case 4:
					d.handleFor(time.Duration(rng.IntN(5000)) * time.Millisecond)
				case 5, 6:
					// A shot out of turn is refused.
					for _, m := range matches {
						cell := match.NewCell(rng.IntN(10), rng.IntN(10))
						m.sec.Fire(cell)
						m.first.Fire(cell)
					}
					d.handlePending()
				default:
					key := keys[rng.IntN(len(keys))]
					if here := d.showsPage("lobbyScreen"); here && key == "enter" {
						// Carol does not play.
						key = "w"
					}
					d.press(key)
				}
				if d.m.env.Watched != nil && d.m.env.Watched.IsOver() {
					ends++
				}
			}
		})
	}
	if ends == 0 {
		t.Error("no end was ever seen")
	}
}

// TestFirstFrameShowsFeaturedMatch connects a player who starts in the lobby.
func TestFirstFrameShowsFeaturedMatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLobby()
		defer l.Close()
		b := startDriver(t, l, bob, 80, 24)
		defer b.close()
		b.waitForText("is aiming")
		c := startDriverWith(t, session.Config{Lobby: l, Player: carol}, Config{Width: 80, Height: 24, Returned: true})
		defer c.close()
		if s := c.screen(); strings.Contains(s, "othing yet") || !strings.Contains(s, "is aiming") {
			t.Errorf("the first frame is\n%s", s)
		}
	})
}
