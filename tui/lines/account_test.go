package lines

import (
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
)

// connectWithKey starts the session of a player with an SSH key.
func connectWithKey(t *testing.T, l *lobby.Lobby, name, key string) *testPlayer {
	t.Helper()
	p, err := l.Accounts.IdentifyClient(t.Context(), name, key)
	if err != nil {
		t.Fatal(err)
	}
	at := session.New(session.Config{Lobby: l, Player: p, Client: session.Client{Fingerprint: key, Name: name}})
	return startSession(t, Config{Session: at, Settings: l.Accounts.Settings(t.Context(), p)})
}

// TestAccountKeepsGuestSettings checks that a new account gets its guest's settings, and that a linked key
// gets them, too, including the language.
func TestAccountKeepsGuestSettings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, err := store.Open(t.Context(), store.Config{Folder: storetest.NewFolder(t)})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: db})
		defer l.Close()
		ann := connectWithKey(t, l, "ann", "SHA256:one")
		ann.waitFor("You are guest")
		ann.enterLines("rules hasbro", "clock 45", "language de", "name Anna")
		ann.waitFor("Willkommen, Anna.")
		ann.enterLines("status")
		ann.waitFor("Deine nächste Partie: hasbro, 45 Sekunden je Schuss.")
		anna, err := l.Accounts.IdentifyClient(t.Context(), "ann", "SHA256:one")
		if err != nil {
			t.Fatal(err)
		}
		// Wait until it is stored.
		for l.Accounts.Settings(t.Context(), anna).Language != "de" {
			time.Sleep(time.Millisecond)
		}
		visit := l.Enter(anna)
		defer visit.Leave()
		code, _, err := l.Accounts.NewLinkCode(visit.Player())
		if err != nil {
			t.Fatal(err)
		}
		other := connectWithKey(t, l, "laptop", "SHA256:two")
		other.waitFor("You are")
		other.enterLines("link " + code)
		other.waitFor("Willkommen, Anna.")
		other.enterLines("status")
		other.waitFor("Deine nächste Partie: hasbro, 45 Sekunden je Schuss.")
	})
}

// TestSettingsAreStored checks that each setting applies immediately and in the next session.
func TestSettingsAreStored(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1, Store: storetest.Open(t)}, func(t *testing.T, l *lobby.Lobby) {
		ann, err := l.Accounts.Register(t.Context(), "ann", "SHA256:ann", "")
		if err != nil {
			t.Fatal(err)
		}
		p := connectWithKey(t, l, "ann", "SHA256:ann")
		for _, c := range []struct {
			line, says string
			stored     func(account.Settings) bool
		}{
			{"link AAAA", "This key already belongs to your account.", func(s account.Settings) bool { return true }},
			{"clock 45", "Your next match: classic, 45 seconds per shot.", func(s account.Settings) bool { return s.Rules.Clock == 45*time.Second }},
			{"clock off", "Your next match: classic, no clock.", func(s account.Settings) bool { return s.Rules.Clock == 0 }},
			{"clock 4", "The time per shot is 5 to", func(s account.Settings) bool { return s.Rules.Clock == 0 }},
			{"rated off", "Your next match is casual", func(s account.Settings) bool { return s.Casual }},
			{"rated on", "Your next match is rated.", func(s account.Settings) bool { return !s.Casual }},
			{"rated maybe", "Type rated on or rated off.", func(s account.Settings) bool { return !s.Casual }},
			{"quiet", "No one can challenge you now.", func(s account.Settings) bool { return s.DoNotDisturb }},
			{"quiet off", "Others can challenge you.", func(s account.Settings) bool { return !s.DoNotDisturb }},
			{"rules salvo", "The rules are salvo", func(s account.Settings) bool { return s.Rules.Name == "salvo" }},
			{"language xx", "Type: language CODE. The codes: en: English", func(s account.Settings) bool { return s.Language != "xx" }},
			{"language fr", "La langue est le français.", func(s account.Settings) bool { return s.Language == "fr" }},
		} {
			p.enterLines(c.line)
			p.waitFor(c.says)
			synctest.Wait()
			// Wait until it is stored.
			time.Sleep(time.Minute)
			if s := l.Accounts.Settings(t.Context(), ann); !c.stored(s) {
				t.Errorf("settings after %q: %+v", c.line, s)
			}
		}
		again := connectWithKey(t, l, "ann", "SHA256:ann")
		again.enterLines("status")
		again.waitFor("Your next match: salvo, no clock.")
	})
}

// TestRatedMatchTellsRatings checks that both players are told how a rated match changes their ratings.
func TestRatedMatchTellsRatings(t *testing.T) {
	runInLobby(t, lobby.Config{Seed: 1, Store: storetest.Open(t)}, func(t *testing.T, l *lobby.Lobby) {
		var both [2]*testPlayer
		for i, name := range []string{"ann", "bob"} {
			if _, err := l.Accounts.Register(t.Context(), name, "SHA256:"+name, ""); err != nil {
				t.Fatal(err)
			}
			both[i] = connectWithKey(t, l, name, "SHA256:"+name)
			both[i].enterLines("play", fleet)
			both[i].waitFor([]string{"Waiting for an opponent", "You are playing against ann"}[i])
		}
		both[0].enterLines("b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "b9", "b10", "j1", "j2", "j3", "j4", "j5", "j6", "j7")
		both[1].enterLines("a1", "a2", "a3", "a4", "a5", "c1", "c2", "c3", "c4", "e1", "e2", "e3", "g1", "g2", "g3", "i1", "i2")
		both[1].waitFor("You won.", "Your rating is now 1662?, up by 162.")
		both[0].waitFor("You lost.", "Your rating is now 1338?, down by 162.")
	})
}
