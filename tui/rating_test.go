package tui

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"broadside/internal/session"
	"broadside/internal/store"
	"broadside/internal/test/storetest"
	"broadside/lobby"
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
	l := lobby.New(lobby.Config{Seed: 1, BotPace: -1, Store: s})
	t.Cleanup(l.Close)
	p, err := s.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"})
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, l, lobby.Player{ID: p.ID, Account: p.ID, Name: p.Name}, 80, 24)
	defer d.close()
	d.press("b", "1")
	d.see("Place your fleet")
	d.press("q")
	d.see("Abort this match?")
	d.press("y")
	d.see("You have aborted the match before it counted.")
	if o := d.game().outcome; o.Rated || !o.Stored {
		t.Errorf("a match that was aborted: %+v", o)
	}
	d.press("esc")
	d.see("Play now")
	d.press("b", "1")
	d.see("Place your fleet")
	side := d.game().side
	d.m.env.Do(session.Place{Layout: match.Classic().RandomLayout(rand.New(rand.NewPCG(1, 1)))})
	news := live.NewSignal()
	watch, err := l.Matches.Watch(d.m.match.ID, true, news.Send)
	if err != nil {
		t.Fatal(err)
	}
	defer watch.Leave()
	var u session.MatchUpdate
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
			d.m.env.Do(session.Fire{Cell: match.At(n, 9)})
			asked = n
		}
	}
	d.see("Enemy waters")
	d.press("q")
	d.see("Resign this match?")
	d.press("y")
	d.see("YOU HAVE LOST.")
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
	if own.After != now[0].Value {
		t.Errorf("the list of games has %v, the database %v", own.After, now[0].Value)
	}
	d.press("esc")
	d.see("Play now")
	g := drive(t, l, lobby.Player{Name: "guest"}, 80, 24)
	defer g.close()
	g.press("b", "1")
	g.see("Place your fleet")
	g.press("q", "y")
	g.see("YOU HAVE LOST.")
	if o := g.game().outcome; o.Rated || !o.Stored {
		t.Errorf("a guest's match: %+v", o)
	}
}
