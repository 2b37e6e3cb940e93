package tui

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
	"broadside/match/live"
)

// openStore opens an empty store, which closes after the lobby that the test creates.
func openStore(t *testing.T) *store.Store {
	t.Helper()
	s, _ := openStoreIn(t)
	return s
}

// openStoreIn is like openStore, with a data folder.
func openStoreIn(t *testing.T) (*store.Store, string) {
	t.Helper()
	folder := storetest.Folder(t)
	s, err := store.Open(context.Background(), store.Config{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, folder
}

func TestResultShowsTheRating(t *testing.T) {
	s := openStore(t)
	l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: s})
	t.Cleanup(l.Close)
	p, err := s.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"})
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, l, account.Player{ID: p.ID, Account: p.ID, Name: p.Name}, 80, 24)
	defer d.close()
	d.press("b", "1")
	d.see("Place your fleet")
	d.press("q")
	d.see("Abort this match?")
	d.press("y")
	d.see("You aborted the match before it counted.")
	if o := d.game().outcome; o.Rated || !o.Stored {
		t.Errorf("a match that was aborted: %+v", o)
	}
	d.press("esc")
	d.see("Play now")
	d.press("b", "1")
	d.see("Place your fleet")
	side := d.game().side
	d.m.env.Check(d.m.env.Session.Place(match.First, match.Classic().RandomLayout(rand.New(rand.NewPCG(1, 1)))))
	news := live.NewSignal()
	watch, err := l.Matches.Watch(d.m.match.ID, true, news.Send)
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Leave()
	var u live.Update
	for asked := -1; !u.View.Counts(); {
		got, err := watch.Poll(&u)
		if err != nil {
			t.Fatal(err)
		}
		if !got {
			<-news
			continue
		}
		if n := u.View.Charts[side].Fired; u.View.Phase == match.Battle && u.View.Turn == side && n > asked {
			d.m.env.Check(d.m.env.Session.Fire(match.First, 0, match.At(n, 9)))
			asked = n
		}
	}
	d.see("Enemy waters")
	d.press("q")
	d.see("Resign this match?")
	d.press("y")
	d.see("YOU LOST.")
	d.see("Your rating: ")
	games, err := s.Matches.Of(t.Context(), p.ID, store.Cursor{}, 1)
	if err != nil || len(games) != 1 {
		t.Fatal(games, err)
	}
	now, err := s.Ratings.Of(t.Context(), p.ID)
	if err != nil || len(now) != 1 {
		t.Fatal(now, err)
	}
	// The screen, the list of games and the database have the same number.
	own := games[0].Seats[side]
	d.see(fmt.Sprintf("Your rating: %.0f? (%+.0f)", own.After, own.After-own.Before))
	for _, size := range [][2]int{{80, 24}, {100, 30}, {160, 45}} {
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		if n := strings.Count(d.screen(), "Your rating"); n != 1 {
			t.Errorf("the rating is shown %d times:\n%s", n, d.screen())
		}
	}
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	if own.After != now[0].Value {
		t.Errorf("the list of games has %v, the database %v", own.After, now[0].Value)
	}
	d.press("esc")
	d.see("Play now")
	g := drive(t, l, account.Player{Name: "guest"}, 80, 24)
	defer g.close()
	g.press("b", "1")
	g.see("Place your fleet")
	g.press("q", "y")
	g.see("YOU LOST.")
	if o := g.game().outcome; o.Rated || !o.Stored {
		t.Errorf("a guest's match: %+v", o)
	}
}

// TestListsShowRatingOfRules checks that each list shows the rating under the rules that are played.
func TestListsShowRatingOfRules(t *testing.T) {
	s := openStore(t)
	l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: s})
	t.Cleanup(l.Close)
	names := [2]string{"ann", "bob"}
	var players [2]account.Player
	for i, name := range names {
		if _, err := s.Accounts.CreatePerson(t.Context(), name, store.Key{Fingerprint: "SHA256:" + name}); err != nil {
			t.Fatal(err)
		}
		var err error
		if players[i], err = l.Accounts.Receive(t.Context(), name, "SHA256:"+name); err != nil {
			t.Fatal(err)
		}
	}
	for i, rules := range []match.Rules{match.Classic(), match.Naval(), match.Naval()} {
		m := storetest.Match(uint64(i), rules, names[0], names[1])
		m.Rated = true
		for side := range m.Seats {
			m.Seats[side].Player = players[side].ID
		}
		if _, err := s.Matches.Finish(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	bob, err := l.Accounts.Receive(t.Context(), "bob", "SHA256:bob")
	if err != nil {
		t.Fatal(err)
	}
	classic, naval := bob.Rating(match.Classic()), bob.Rating(match.Naval())
	if classic == "" || naval == "" || classic == naval || bob.Rating(match.Hasbro()) != "" {
		t.Fatalf("bob's ratings are %q", bob.Ratings)
	}
	a := drive(t, l, players[0], 160, 45)
	defer a.close()
	b := drive(t, l, bob, 80, 24)
	defer b.close()
	shows := func(what, want, not string) {
		t.Helper()
		a.see(want)
		if s := a.screen(); strings.Contains(s, not) {
			t.Errorf("%s shows %s instead of %s:\n%s", what, not, want, s)
		}
	}
	a.see("bob")
	shows("the lobby under classic", classic, naval)
	a.press("o")
	shows("the list under classic", classic, naval)
	a.press("n", "down", "right", "right", "esc")
	if r := a.m.env.Settings.Rules; !r.Same(match.Naval()) {
		t.Fatalf("the rules are %s", r.Name)
	}
	shows("the list under naval", naval, classic)
	b.press("p")
	b.see("Waiting for an opponent")
	a.see("classic, no clock, rated")
	shows("bob's classic offer in the list of a naval player", classic, naval)
	b.press("esc")
	a.press("esc")
	a.wait("the offer to end", func(s string) bool { return !strings.Contains(s, "no clock, rated") })
	shows("the lobby under naval", naval, classic)
	b.press("o")
	b.see("ann")
	b.press("enter")
	a.see("bob " + classic + " challenges you")
}

// TestBotsUnderOtherRules checks that the list of bots has no figures of other rules.
func TestBotsUnderOtherRules(t *testing.T) {
	for _, rules := range []match.Rules{match.Naval(), match.Salvo()} {
		withModel(t, 100, 30, func(t *testing.T, d *driver) {
			d.m.env.Settings.Rules = rules
			d.see("easy to ")
			d.press("b")
			d.see("Choose a bot")
			for range session.ListBots(rules) {
				s := d.screen()
				for _, wrong := range []string{"95.4", "40.1", "shots to win", "fewer is stronger"} {
					if strings.Contains(s, wrong) {
						t.Fatalf("under %s, the bots have the classic figure %s:\n%s", rules.Name, wrong, s)
					}
				}
				d.press("down")
			}
			var list strings.Builder // without the description beside it
			for _, line := range strings.Split(d.screen(), "\n") {
				list.WriteString(line[:min(len(line), 20)])
			}
			before := -1
			for _, b := range session.ListBots(rules) {
				if b.Novelty {
					continue
				}
				at := strings.Index(list.String(), " "+b.Name+" ")
				if at <= before {
					t.Errorf("under %s, %s is not after the weaker ones:\n%s", rules.Name, b.Name, d.screen())
				}
				before = at
			}
		})
	}
}

// TestBotProfileShowsRating checks that a bot that has never played has the same rating in its profile as
// in the lists.
func TestBotProfileShowsRating(t *testing.T) {
	withRecords(t, 80, 24, func(t *testing.T, d *driver) {
		d.press("L", "b", "b")
		d.see("admiral")
		d.press("enter")
		d.see("ated matches")
		for _, rules := range match.Presets() {
			rating, _ := session.BotRating(rules, "admiral")
			d.see(fmt.Sprintf("%.0f", rating))
			if s := d.screen(); !strings.Contains(s, rules) || strings.Contains(s, "none yet") {
				t.Errorf("admiral has no rating under %s:\n%s", rules, s)
			}
			d.press("r")
		}
	})
}

// TestUnchangedRatingIsExplained checks that the result of an established player against a provisional
// one says why the rating stays.
func TestUnchangedRatingIsExplained(t *testing.T) {
	s, folder := openStoreIn(t)
	l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: s})
	t.Cleanup(l.Close)
	var seats [2]*driver
	for i, name := range []string{"ann", "bob"} {
		p, err := s.Accounts.CreatePerson(t.Context(), name, store.Key{Fingerprint: "SHA256:" + name})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			m := storetest.Match(1, match.Classic(), name, "easy")
			bot, err := s.Accounts.ByName(t.Context(), "easy")
			if err != nil {
				t.Fatal(err)
			}
			m.Rated, m.Seats[match.First].Player, m.Seats[match.Second].Player = true, p.ID, bot.ID
			if _, err := s.Matches.Finish(t.Context(), m); err != nil {
				t.Fatal(err)
			}
			if err := storetest.Settle(folder); err != nil {
				t.Fatal(err)
			}
		}
		seats[i] = drive(t, l, account.Player{ID: p.ID, Account: p.ID, Name: name}, 80, 24)
		defer seats[i].close()
	}
	a, b := seats[0], seats[1]
	a.press("m", "enter")
	a.see("Private match:")
	b.press("m")
	b.press(codeKeys(a.offer().Code)...)
	b.press("enter")
	for _, d := range seats {
		d.see("Place your fleet")
		d.press("x", "enter")
	}
	for n := range match.CountingShots {
		for _, d := range []*driver{b, a} {
			d.see("YOUR TURN")
			d.m.env.Check(d.m.env.Session.Fire(match.First, 0, match.At(n, 9)))
			d.wait("the answer", func(string) bool { return d.game().last.View.Charts[d.game().side].Fired > n })
		}
	}
	b.press("q")
	b.see("Resign this match?")
	b.press("y")
	for _, size := range [][2]int{{80, 24}, {100, 30}, {160, 45}, {40, 16}} {
		a.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		a.see("Your rating stays: that of bob")
	}
	b.see("YOU LOST.")
	b.unseen("Your rating stays")
}
