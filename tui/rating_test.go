package tui

import (
	"context"
	"testing"

	"broadside/lobby"
	"broadside/lobby/store"
)

// openStore is an empty store, closed after the lobby that the test makes.
func openStore(t *testing.T) *store.Store {
	t.Helper()
	s, _ := openStoreIn(t)
	return s
}

// openStoreIn is openStore, with the data folder.
func openStoreIn(t *testing.T) (*store.Store, string) {
	t.Helper()
	folder := t.TempDir()
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
	hall := lobby.New(lobby.Config{Seed: 1, BotPace: -1, Store: s})
	t.Cleanup(hall.Close)
	p, err := s.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"})
	if err != nil {
		t.Fatal(err)
	}
	d := drive(t, hall, lobby.Player{ID: p.ID, Account: p.ID, Name: p.Name}, 80, 24)
	defer d.close()
	d.press("b", "1")
	d.see("Place your fleet")
	d.press("q", "y")
	d.see("YOU HAVE LOST.")
	d.see("Your rating: 1338 (-162)") // what Glicko-2 makes of two newcomers
	d.press("esc")
	d.see("Play now")
	g := drive(t, hall, lobby.Player{Name: "guest"}, 80, 24)
	defer g.close()
	g.press("b", "1")
	g.see("Place your fleet")
	g.press("q", "y")
	g.see("YOU HAVE LOST.")
	if o := g.m.game.outcome; o.Rated || !o.Stored {
		t.Errorf("a guest's match: %+v", o)
	}
}
