package lines

import (
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/internal/view"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
)

// TestCorrespondenceMatchInLineMode checks that two players make, accept and play a correspondence match while days
// pass, that leaving it does not resign it, and that players learn when it is their turn.
func TestCorrespondenceMatchInLineMode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s, BotPace: -1})
		defer l.Close()
		players := map[string]account.Player{}
		for _, name := range []string{"ann", "bob"} {
			p, err := s.Accounts.CreatePerson(t.Context(), name, store.Key{Fingerprint: "SHA256:" + name})
			if err != nil {
				t.Fatal(err)
			}
			players[name] = account.PersonPlayer(p)
		}
		start := func(name string) *testPlayer {
			own := session.New(session.Config{Lobby: l, Player: players[name]})
			return startSession(t, Config{Session: own, Settings: account.DefaultSettings()})
		}
		ann, bob := start("ann"), start("bob")
		ann.enterLines("offer 3d bob")
		ann.waitFor("Your offer is open for 30 days: classic, 3 days per shot, rated.")
		bob.waitFor("ann offers a match: classic, 3 days per shot, rated. Type accept ")
		offers, err := l.Correspondence.ListOffers(t.Context(), players["bob"])
		if err != nil || len(offers) != 1 {
			t.Fatalf("%d offers to bob, %v, want 1", len(offers), err)
		}
		bob.enterLines("accept nonsense")
		bob.waitFor("There is no offer")
		bob.enterLines("accept "+view.ShortID(offers[0].ID), "place random")
		bob.waitFor("You are playing against ann", "You have 3 days", "You can leave: type lobby")
		ann.waitFor("It is your turn against bob. Type open ")
		bob.enterLines("bot easy")
		bob.waitFor("You are in a correspondence match. Type lobby to leave it: it waits for you.")
		bob.enterLines("quit")
		bob.waitFor("The match waits: ann has 3 days.", "Goodbye.")
		time.Sleep(20 * time.Hour)
		ann.enterLines("open next")
		ann.waitFor("You are playing against bob")
		ann.enterLines("time", "place random")
		ann.waitFor("You have 2 days 4 hours.", "The battle starts.", "You can leave: type lobby")
		ann.enterLines("lobby")
		ann.waitFor("The match waits: bob has 3 days.", "You are in the lobby.")
		time.Sleep(time.Minute)
		bob = start("bob")
		bob.waitFor("It is your turn against ann. Type open ")
		bob.enterLines("open next", "fire A1")
		bob.waitFor("Your turn. You have 3 days", "A1: ", "You can leave: type lobby")
		ann.waitFor("It is your turn against bob.")
		other := start("bob")
		other.enterLines("turns --all")
		other.waitFor("ann, ")
		ann.enterLines("turns", "open nothing")
		ann.waitFor("bob, ", "You are not playing a correspondence match")
	})
}
