package tui

import (
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/daily"
	"broadside/match"
	"broadside/tui/board"
)

// withDaily runs a test with a lobby whose store has a new secret and accounts for some
// people.
func withDaily(t *testing.T, test func(t *testing.T, l *lobby.Lobby, people map[string]account.Player)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, folder := openStoreIn(t)
		if err := s.State.Set(t.Context(), "daily secret", strings.Repeat("5e", 32), ""); err != nil {
			t.Fatal(err)
		}
		people := map[string]account.Player{}
		for _, name := range []string{"ann", "bob", "Eve"} {
			p, err := s.Accounts.CreatePerson(t.Context(), name, store.Key{Fingerprint: "SHA256:" + name})
			if err != nil {
				t.Fatal(err)
			}
			people[name] = account.Player{ID: p.ID, Account: p.ID, Name: name}
		}
		if err := storetest.Age(folder); err != nil {
			t.Fatal(err)
		}
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: s})
		defer l.Close()
		test(t, l, people)
	})
}

// daily opens the daily puzzle.
func (d *driver) daily() {
	d.t.Helper()
	d.press("d", "enter")
	d.see("to fire at")
}

// sinkAll fires at open cells, starting with the nth, until the fleet is sunk.
func (d *driver) sinkAll(from int) {
	d.t.Helper()
	for n := range 100 {
		s := d.sea
		c := match.At((n+from)%100%10, (n+from)%100/10)
		chart := s().view.Chart
		if open := chart.Open(); !open.Has(c) {
			continue
		}
		d.press(strings.Split(c.String(), "")...)
		d.press("enter")
		d.wait("the shot at "+c.String(), func(screen string) bool {
			return strings.Contains(screen, c.String()+": ") || strings.Contains(screen, "THE ENTIRE FLEET")
		})
		if s().view.Done {
			return
		}
	}
	d.t.Fatal("the fleet is afloat")
}

func TestDailyPuzzle(t *testing.T) {
	withDaily(t, func(t *testing.T, l *lobby.Lobby, people map[string]account.Player) {
		a := drive(t, l, people["ann"], 80, 24)
		defer a.close()
		a.daily()
		a.see("DAILY SEA · 2000-01-01")
		a.see("nobody yet")
		a.see("0 shots so far")
		a.press("A", "1", "enter", "enter", "enter") // two of them miss
		a.see("1 shot so far")
		a.see("A1: ")
		a.press("enter")
		a.see("You have already fired at A1")
		a.press("esc")
		a.see("1 shot fired: you can continue until midnight UTC.")

		// The connection drops, and the same person connects twice.
		a.close()
		a, b := drive(t, l, people["ann"], 80, 24), drive(t, l, people["ann"], 80, 24)
		defer a.close()
		defer b.close()
		a.daily()
		b.daily()
		a.see("1 shot so far")
		b.see("1 shot so far")
		a.press("J", "1", "0", "enter")
		a.see("J10: ")
		b.press("J", "9", "enter")
		b.see("You continued in another session: this is the current state.")
		b.see("2 shots so far")
		a.sinkAll(0)
		a.see("YOU SANK THE ENTIRE FLEET. Place 1 of 1.")
		a.see("1 day, longest 1")
		view := a.sea().view
		for _, line := range daily.Share(i18n.English, view.Day, daily.Blocks(view.Course)) {
			found := false
			for _, l := range strings.Split(a.m.View().Content, "\n") { // includes styles, of which it has none
				found = found || strings.TrimSpace(l) == line
			}
			if !found {
				t.Errorf("%q is not alone on a line:\n%s", line, a.screen())
			}
		}
		a.press("enter", "A", "2", "space")
		b.press("A", "2", "enter")
		b.see("YOU SANK THE ENTIRE FLEET.")
		a.press("r") // reads again
		a.see("Place 1 of 1.")
		a.press("q")
		a.see("Play now")

		e := drive(t, l, people["Eve"], 80, 24)
		defer e.close()
		e.daily()
		e.see("1 finished")
		a.press("d", "enter")
		a.see("Place 1 of 1.")
		e.sinkAll(50)
		e.see(" of 2.")
		a.see(" of 2.") // without a key
		a.close()       // players in the lobby watch bots play
		b.close()
		time.Sleep(24 * time.Hour)
		e.press("r")
		e.see("DAILY SEA · 2000-01-02")
		e.see("0 shots so far")
		e.see("Previous day")
		winner := "Eve"
		if n := len(e.sea().standing.Best); n != 0 {
			t.Errorf("the new day has a table of %d", n)
		}
		if y := e.sea().standing.Yesterday; y.Name != winner {
			winner = "ann"
		}
		e.see(winner + ", ")
	})
}

func TestDailyDeduced(t *testing.T) {
	withDaily(t, func(t *testing.T, l *lobby.Lobby, people map[string]account.Player) {
		d := drive(t, l, people["ann"], 80, 24)
		defer d.close()
		d.daily()
		for n := 0; ; n++ {
			s := d.sea
			if !s().view.Chart.Deduced.Empty() {
				break
			}
			d.aim(match.At(n%10, n/10))
			d.press("space")
			d.see(s().at.String() + ": ")
		}
		s := d.sea
		for c := range s().view.Chart.Deduced.All() {
			d.aim(c)
			break
		}
		before := len(s().view.Cells)
		d.press("enter")
		d.see(s().at.String() + " is next to a sunk ship")
		if len(s().view.Cells) != before {
			t.Error("a shot was wasted")
		}
	})
}

func TestDailyForGuests(t *testing.T) {
	withDaily(t, func(t *testing.T, l *lobby.Lobby, people map[string]account.Player) {
		g := drive(t, l, account.Player{Name: "guest"}, 80, 24)
		defer g.close()
		g.daily()
		g.see("Practice: a fleet just for you")
		g.see("You are a guest, so this is practice.")
		g.press("A", "1", "enter")
		g.see("1 shot so far")
		g.press("esc")
		g.see("Play now")
		g.daily()
		g.see("1 shot so far")
		g.sinkAll(0)
		g.see("(practice)")
		if s := g.screen(); strings.Contains(s, "Rank") || strings.Contains(s, "streak") || !strings.Contains(s, "nobody yet") {
			t.Errorf("a guest is counted:\n%s", s)
		}
		g.press("r")
		g.see("0 shots so far")
	})
	withModel(t, 80, 24, func(t *testing.T, d *driver) { // without a store
		d.daily()
		d.see("This server has no accounts")
		d.sinkAll(0)
		d.see("(practice)")
	})
}

// TestDailyWithoutStore checks the screen while the disk does not respond.
func TestDailyWithoutStore(t *testing.T) {
	s := openStore(t)
	p, err := s.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"})
	if err != nil {
		t.Fatal(err)
	}
	l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: s})
	defer l.Close()
	d := drive(t, l, account.Player{ID: p.ID, Account: p.ID, Name: "ann"}, 80, 24)
	defer d.close()
	d.daily()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	d.press("A", "1", "enter")
	d.see("The server cannot read its data right now")
	d.see("0 shots so far")
	d.press("esc", "d", "enter")
	d.see("The server cannot read its data right now")
	d.see("Play now")
}

func TestGoldenDaily(t *testing.T) {
	withDaily(t, func(t *testing.T, l *lobby.Lobby, people map[string]account.Player) {
		for i, name := range []string{"bob", "Eve"} {
			d := drive(t, l, people[name], 80, 24)
			d.daily()
			d.sinkAll(30 * i)
			d.close()
		}
		d := drive(t, l, people["ann"], 80, 24)
		defer d.close()
		d.daily()
		for range 30 { // in a diagonal
			s := d.sea
			n := len(s().view.Cells)
			d.aim(match.At((n+3*(n/10))%10, n%10))
			d.press("enter")
			d.see(s().at.String() + ": ")
		}
		d.golden("daily")
		d.sinkAll(0)
		d.golden("daily-done")
	})
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
		withDaily(t, func(t *testing.T, l *lobby.Lobby, people map[string]account.Player) {
			d := drive(t, l, people["ann"], 80, 24)
			defer d.close()
			fired := map[string]int{}
			d.frame = func(screen string) {
				if !d.shows("dailyScreen") || !d.sea().read {
					return
				}
				v := d.sea().view
				if len(v.Cells) < fired[v.Day] {
					t.Fatalf("%d shots of %s have become %d", fired[v.Day], v.Day, len(v.Cells))
				}
				fired[v.Day] = len(v.Cells)
				hits := strings.Count(daily.Blocks(v.Course), "▓") + strings.Count(daily.Blocks(v.Course), "█")
				marks := 0
				for _, shown := range d.boards() {
					marks += shown[board.SignHit].Len() + shown[board.SignSunk].Len()
				}
				if marks > hits {
					t.Fatalf("%d ships' cells are shown, %d were hit:\n%s", marks, hits, screen)
				}
			}
			for range 400 {
				if ok := d.shows("dailyScreen"); !ok {
					d.settle()
					d.press("esc", "esc", "d", "enter")
				}
				switch rng.IntN(20) {
				case 0:
					d.send(tea.WindowSizeMsg{Width: 1 + rng.IntN(300), Height: 1 + rng.IntN(100)})
				case 1:
					d.send(tea.WindowSizeMsg{Width: 80 + rng.IntN(60), Height: 24 + rng.IntN(20)})
				case 2, 3:
					d.settle()
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
