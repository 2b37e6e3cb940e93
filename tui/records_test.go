package tui

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/internal/view"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/audit"
	"broadside/tui/board"
	"broadside/tui/text"
)

// withRecords runs a test with ann in a lobby whose store has matches of hers.
func withRecords(t *testing.T, width, height int, test func(t *testing.T, d *driver)) {
	t.Helper()
	withDelay(t, width, height, new(storetest.Delay), test)
}

// withDelay is [withRecords] with a store that delay slows down.
func withDelay(t *testing.T, width, height int, delay *storetest.Delay, test func(t *testing.T, d *driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx := context.Background()
		folder := storetest.Folder(t)
		st, err := store.Open(ctx, store.Config{Folder: folder, Wrap: delay.Wrap})
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: st})
		defer l.Close()
		ids := map[string]string{}
		for _, name := range []string{"ann", "bob"} {
			p, err := st.Accounts.CreatePerson(ctx, name, store.Key{Fingerprint: "SHA256:" + name})
			if err != nil {
				t.Fatal(err)
			}
			ids[name] = p.ID
		}
		bot, err := st.Accounts.EnsureBot(ctx, "hard")
		if err != nil {
			t.Fatal(err)
		}
		ids["hard"] = bot.ID
		for i, pair := range [][2]string{{"ann", "bob"}, {"hard", "ann"}, {"bob", "ann"}, {"kraken", "bob"}, {"ann", "hard"}, {"ann", "bob"}} {
			rules := match.Classic()
			if i == 5 {
				rules = match.Hasbro()
			}
			m := storetest.Match(uint64(i), rules, pair[0], pair[1])
			m.Rated = pair[0] != "kraken"
			m.Started = m.Started.AddDate(-30, 0, 0) // before the bubble's clock
			for side := range m.Seats {
				m.Seats[side].Player = ids[m.Seats[side].Name]
			}
			if _, err := st.Matches.Finish(ctx, m); err != nil {
				t.Fatal(err)
			}
		}
		if err := storetest.Settle(folder); err != nil {
			t.Fatal(err)
		}
		d := drive(t, l, account.Player{ID: ids["ann"], Account: ids["ann"], Name: "ann"}, width, height)
		defer d.close()
		d.wait("the lobby", func(string) bool { return len(d.m.env.Lobby.People) > 0 })
		test(t, d)
	})
}

func TestGoldenRecords(t *testing.T) {
	withRecords(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("L")
		d.see("bob")
		d.golden("leaderboard")
		d.press("i")
		d.see("hit rate")
		d.golden("profile")
		d.press("r")
		d.see("hasbro")
		d.press("r", "g")
		d.see("ann* – hard")
	})
	withRecords(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("g")
		d.see("ID sample000005")
		d.golden("history")
		d.press("down", "enter")
		d.see("The battle begins.")
		d.press("2", "0")
		d.see("Jump to shot: 20_")
		d.press("enter")
		d.see("shot  20 of 134")
		d.golden("replay")
		d.press("a")
		d.see("admiral would fire at")
		if s := d.screen(); !strings.Contains(s, "▸") || strings.Count(s, "%") < 2 {
			t.Errorf("what admiral thinks is not shown:\n%s", s)
		}
		d.press("end")
		d.see("admiral has no targets")
		d.golden("replay-end")
	})
}

func TestReplayKeys(t *testing.T) {
	withRecords(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("g")
		d.see("ID sample000005")
		d.press("enter")
		d.see("shot  0 of")
		at := func(want int) {
			t.Helper()
			if at := *peek[int](d.page(), "at"); at != want {
				t.Fatalf("the replay is at shot %d, want %d", at, want)
			}
		}
		end := (*peek[*text.Replay](d.page(), "replay")).Len() - 1
		d.press("left")
		at(0)
		d.press("right", "l", "right")
		at(3)
		d.press("h")
		at(2)
		d.press("down")
		at(12)
		d.press("up", "left")
		at(1)
		d.press("end", "right")
		at(end)
		d.press("home")
		at(0)
		d.press("down", "9", "9", "9", "9", "9", "enter")
		d.see(fmt.Sprintf("There is no shot 9999: the last shot is %d.", end))
		at(10)
		d.press("1", "3", "enter")
		at(13)
		d.press("end")
		d.press("space") // from the beginning again
		d.see("Playing: one shot every 1 second")
		at(0)
		before := time.Now()
		d.see("shot  3 of")
		if took := time.Since(before); took != 3*time.Second {
			t.Errorf("three shots took %v", took)
		}
		d.press("+", "+")
		d.see("4 shots a second")
		before = time.Now()
		d.see("shot  7 of")
		if took := time.Since(before); took != time.Second {
			t.Errorf("four fast shots took %v", took)
		}
		d.press("space")
		d.settle()
		time.Sleep(time.Minute)
		d.settle()
		at(7)
		d.press("space", "-", "-", "-", "-", "-", "-", "-", "a")
		d.see("shot  9 of")
		d.see("admiral would fire at")
		d.press("esc")
		d.see("ID sample000005")
		time.Sleep(time.Hour) // a replay stops when the player leaves it
		d.settle()
		d.press("esc")
		d.see("Play now")
	})
}

// TestRunningReplay compares the frames of replays with the games.
func TestRunningReplay(t *testing.T) {
	for seed := range uint64(8 * more) {
		rules := []match.Rules{match.Classic(), match.Hasbro(), match.Naval(), match.Naval()}[seed%4]
		m := storetest.Match(seed, rules, "ann", "bob")
		f, err := text.NewReplay(i18n.English, m)
		if err != nil {
			t.Fatal(err)
		}
		g := match.NewGame(rules, audit.Flag)
		n, moved := 0, false
		check := func() {
			t.Helper()
			want, got := g.Revealed(), f.View(n)
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
				if _, err := g.Apply(match.Place(e.Side, e.Layout())); err != nil {
					t.Fatal(err)
				}
			case match.FleetMoved:
				if m.Events[i+1].Kind == match.ShotFired { // a picture shows a move together with the next shot
					check()
				}
				moved = true
				if _, err := g.Apply(match.Sail(e.Side, e.Move)); err != nil {
					t.Fatal(err)
				}
			case match.ShotFired:
				if !moved {
					check()
				}
				moved = false
				if _, err := g.Apply(match.Fire(e.Side, e.Cell)); err != nil {
					t.Fatal(err)
				}
				n++
			case match.GameEnded:
				if e.Reason == match.Endless {
					if _, err := g.Apply(match.Fire(g.ToAct(), match.At(0, 0))); err != nil {
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

// TestReplayOfOwnMatch plays a match and watches its replay at once.
func TestReplayOfOwnMatch(t *testing.T) {
	withRecords(t, 80, 24, func(t *testing.T, d *driver) {
		d.begin()
		d.press("B", "7", "enter")
		d.see("You fired at B7")
		d.see("YOUR TURN")
		d.press("q", "y")
		d.see("rematch")
		d.press("v")
		d.see("The battle begins.")
		d.press("right")
		d.see("ann fired at B7")
		d.press("esc")
		d.see("r  rematch")
		d.press("r")
		d.see("Place your fleet")
	})
}

// TestLongLists scrolls through more matches than one query returns.
func TestLongLists(t *testing.T) {
	withRecords(t, 80, 24, func(t *testing.T, d *driver) {
		st := d.lobby.Store()
		for i := range uint64(120) {
			m := storetest.Match(7, match.Classic(), "ann", "kraken")
			m.ID, m.Seats[0].Player = fmt.Sprintf("many%08d", i), d.m.env.State.Me.Account
			m.Started = m.Started.AddDate(-40, 0, int(i))
			if _, err := st.Matches.Finish(context.Background(), m); err != nil {
				t.Fatal(err)
			}
		}
		d.press("g")
		d.see("ID sample000005")
		for want := 50; want < 125; want += 50 {
			d.press("end")
			d.wait("more", func(string) bool {
				return !*peek[bool](d.page(), "busy") && len(*peek[[]view.Finished](d.page(), "list", "Items")) > want
			})
		}
		d.press("end")
		d.see("ID many00000000")
		d.press("home", "a")
		d.see("of everyone")
		d.see("kraken – bob")
		if !strings.Contains(d.screen(), "ann* – bob") && !strings.Contains(d.screen(), "bob*") {
			t.Errorf("no winner is marked:\n%s", d.screen())
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
		withRecords(t, 80, 24, func(t *testing.T, d *driver) {
			for range 150 {
				switch rng.IntN(12) {
				case 0:
					d.send(tea.WindowSizeMsg{Width: 70 + rng.IntN(80), Height: 20 + rng.IntN(30)})
				case 1, 2:
					d.settle()
				default:
					d.press(keys[rng.IntN(len(keys))])
				}
			}
		})
	}
}
