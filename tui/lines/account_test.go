package lines

import (
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/session"
)

// keyed begins the session of a player with a key.
func keyed(t *testing.T, l *lobby.Lobby, name, key string) *person {
	t.Helper()
	p, err := l.Accounts.Receive(t.Context(), name, key)
	if err != nil {
		t.Fatal(err)
	}
	at := session.New(session.Config{Lobby: l, Player: p, Client: session.Client{Fingerprint: key, Name: name}})
	return begin(t, Config{Session: at, Settings: l.Accounts.Settings(t.Context(), p)})
}

// TestSettingsOfGuestsAreKept checks that an account begins with the settings of its
// guest, and that a linked key gets them, including the language.
func TestSettingsOfGuestsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db, err := store.Open(t.Context(), store.Config{Folder: storetest.Folder(t)})
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: db})
		defer l.Close()
		ann := keyed(t, l, "ann", "SHA256:one")
		defer ann.leave()
		ann.hear("You are guest")
		ann.say("rules hasbro", "clock 45", "language de", "name Anna")
		ann.hear("Willkommen, Anna.")
		ann.say("status")
		ann.hear("Deine nächste Partie: hasbro, 45 Sekunden je Schuss.")
		anna, err := l.Accounts.Receive(t.Context(), "ann", "SHA256:one")
		if err != nil {
			t.Fatal(err)
		}
		for l.Accounts.Settings(t.Context(), anna).Language != "de" { // until it is stored
			time.Sleep(time.Millisecond)
		}
		visit := l.Enter(anna)
		defer visit.Leave()
		code, _, err := l.Accounts.NewLinkCode(visit.Player())
		if err != nil {
			t.Fatal(err)
		}
		other := keyed(t, l, "laptop", "SHA256:two")
		defer other.leave()
		other.hear("You are")
		other.say("link " + code)
		other.hear("Willkommen, Anna.")
		other.say("status")
		other.hear("Deine nächste Partie: hasbro, 45 Sekunden je Schuss.")
	})
}
