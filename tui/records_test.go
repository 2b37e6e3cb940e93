package tui

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/test/storetest"
	"broadside/internal/view"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/audit"
	"broadside/tui/board"
	"broadside/tui/screen"
	"broadside/tui/text"
)

// TestRunningReplay compares the frames of replays with the games.
func TestRunningReplay(t *testing.T) {
	for seed := range uint64(8 * more) {
		rules := []match.Rules{match.Classic(), match.Hasbro(), match.Naval(), match.Naval()}[seed%4]
		m := storetest.NewMatch(seed, rules, "ann", "bob")
		f, err := text.NewReplay(i18n.English, m)
		if err != nil {
			t.Fatal(err)
		}
		g := match.NewGame(rules, audit.Flag)
		n, moved := 0, false
		check := func() {
			t.Helper()
			want, got := g.FullView(), f.FrameView(n)
			if got.Fleets[0] == nil || !reflect.DeepEqual(got.Fleets, want.Fleets) || got.Damage != want.Damage {
				t.Fatalf("seed %d, picture %d: the fleets are %v, want %v", seed, n, got.Fleets, want.Fleets)
			}
			for side := range got.Charts {
				if got.Charts[side].Shots != want.Charts[side].Shots || got.Charts[side].Sunk != want.Charts[side].Sunk || got.Phase != want.Phase {
					t.Fatalf("seed %d: picture %d does not show the game", seed, n)
				}
				if n%10 > 0 {
					return
				}
				for _, l := range board.ReplayScreen(f, n, board.ReplayWidth, board.ReplayHeight) {
					if text.Width(l) > board.ReplayWidth || strings.Contains(ansi.Strip(l), "…") {
						t.Fatalf("seed %d, picture %d: %q", seed, n, l)
					}
				}
			}
		}
		for i, e := range m.Events {
			switch e.Kind {
			case match.FleetPlaced:
				if _, err := g.Apply(match.PlaceCommand(e.Side, e.Layout())); err != nil {
					t.Fatal(err)
				}
			case match.FleetMoved:
				// A picture shows a move together with the next shot.
				if m.Events[i+1].Kind == match.ShotFired {
					check()
				}
				moved = true
				if _, err := g.Apply(match.MoveCommand(e.Side, e.Move)); err != nil {
					t.Fatal(err)
				}
			case match.ShotFired:
				if !moved {
					check()
				}
				moved = false
				if _, err := g.Apply(match.FireCommand(e.Side, e.Cell)); err != nil {
					t.Fatal(err)
				}
				n++
			case match.GameEnded:
				if e.Reason == match.Endless {
					if _, err := g.Apply(match.FireCommand(g.ActingSide(), match.NewCell(0, 0))); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		check()
		if n != f.Len()-1 {
			t.Errorf("seed %d: %d pictures for %d shots", seed, f.Len(), n)
		}
	}
}

// openReplay opens a match's replay, which a seed and rules determine.
func (d *driver) openReplay(seed string, rules []string) {
	d.t.Helper()
	n, err := strconv.ParseUint(seed, 10, 64)
	if err != nil {
		d.t.Fatal(err)
	}
	r, err := text.NewReplay(d.m.env.Lang, storetest.NewMatch(n, parseRules(d.t, rules), "ann", "bob"))
	if err != nil {
		d.t.Fatal(err)
	}
	d.m.Open(screen.NewReplay(d.m.env, r, &store.Summary{}, session.Review{}, 0))
	d.send(nil)
}

// showShots shows a replay to its end. The last shot is always visible.
func (d *driver) showShots() {
	d.t.Helper()
	for before := ""; before != d.screen(); {
		before = d.screen()
		d.press("right")
		if !strings.Contains(d.screen(), "‹") {
			d.t.Fatalf("the shot is out of sight:\n%s", d.screen())
		}
	}
}

// TestReplayNamesBots checks that a replay names built-in bots as lists do, and no one else.
func TestReplayNamesBots(t *testing.T) {
	m := storetest.NewMatch(3, match.Classic(), "easy", "hard")
	m.Seats[match.Second].Kind = store.Bot
	f, err := text.NewReplay(i18n.MustParse("de"), m)
	if err != nil {
		t.Fatal(err)
	}
	if h := f.Heading(); !strings.Contains(h, "easy") || !strings.Contains(h, "Schwer") {
		t.Errorf("the heading is %q", h)
	}
}

// TestLongLists scrolls through more matches than one query returns.
func TestLongLists(t *testing.T) {
	runWithRecords(t, 80, 24, func(t *testing.T, d *driver) {
		st := d.lobby.Store()
		for i := range uint64(120) {
			m := storetest.NewMatch(7, match.Classic(), "ann", "kraken")
			m.ID, m.Seats[0].Player = fmt.Sprintf("many%08d", i), d.m.env.State.Me.Account
			m.Started = m.Started.AddDate(-40, 0, int(i))
			if _, err := st.Matches.Finish(context.Background(), m); err != nil {
				t.Fatal(err)
			}
		}
		d.press("g")
		d.waitForText("ID sample000005")
		for want := 50; want < 125; want += 50 {
			d.press("end")
			d.wait("more", func(string) bool {
				return len(*fieldPointer[[]view.FinishedMatch](d.shownPage(), "list", "Items")) > want
			})
		}
		d.press("end")
		d.waitForText("ID many00000000")
		d.press("home", "a")
		d.waitForText("of everyone")
		d.waitForText("kraken – bob")
		if !strings.Contains(d.screen(), "ann* – bob") && !strings.Contains(d.screen(), "bob*") {
			t.Errorf("no winner is marked:\n%s", d.screen())
		}
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
		// The screen asks again.
		for range 2 {
			d.press("home", "end")
			d.waitForText("The data can't be read right now")
		}
	})
}

// TestRandomKeysInRecords presses random keys in terminals of random sizes. The driver
// checks every frame.
func TestRandomKeysInRecords(t *testing.T) {
	keys := []string{
		"up", "down", "left", "right", "enter", "enter", "space", "esc", "tab", "l", "g", "g", "i", "r", "a", "a", "v", "?",
		"pgdown", "end", "home", "1", "7", "+", "-", "h", "j", "k",
	}
	for seed := range uint64(3 * more) {
		rng := rand.New(rand.NewPCG(seed, 2))
		runWithRecords(t, 80, 24, func(t *testing.T, d *driver) {
			for range 150 {
				switch rng.IntN(12) {
				case 0:
					d.send(tea.WindowSizeMsg{Width: 70 + rng.IntN(80), Height: 20 + rng.IntN(30)})
				case 1, 2:
					d.handlePending()
				default:
					d.press(keys[rng.IntN(len(keys))])
				}
			}
		})
	}
}
