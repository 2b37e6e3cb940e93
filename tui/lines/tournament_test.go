package lines

import (
	"context"
	"testing"
	"testing/synctest"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/lobby/tournament"
	"broadside/match"
)

// TestTournamentByCode checks that a player can join a tournament by its code and gets a seat in its match. The
// old command cup works, too.
func TestTournamentByCode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		p, err := s.Accounts.CreatePerson(context.Background(), "ann", store.Key{Fingerprint: "SHA256:ann"})
		if err != nil {
			t.Fatal(err)
		}
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s, BotPace: -1})
		defer l.Close()
		player := account.PersonPlayer(p)
		c, err := l.Tournaments.Create(t.Context(), player, tournament.Settings{
			Name: "5b", Format: tournament.Knockout, Rules: match.Classic(), RatingMode: lobby.Casual,
		})
		if err != nil {
			t.Fatal(err)
		}
		ann := startSession(t, Config{Session: session.New(session.Config{Lobby: l, Player: player}), Settings: account.DefaultSettings()})
		ann.enterLines("cup")
		ann.waitFor("CODE, NAME, STATE, ENTRANTS", c.Code+", 5b, not started, 0")
		ann.enterLines("tournament join " + c.Code)
		ann.waitFor("5b: knockout, classic, casual, entrants: 1, not started")
		ann.enterLines("cup join " + c.Code + " easy")
		ann.waitFor("entrants: 2")
		ann.enterLines("tournament table " + c.Code)
		ann.waitFor("PLACE, NAME, POINTS", "1, ")
		ann.enterLines("tournament enter " + c.Code)
		ann.waitFor("Tournament: unexpected argument", "Usage: tournament CODE [--json]")
		ann.enterLines("tournament start " + c.Code)
		ann.waitFor("Your next opponent is easy")
		ann.waitFor("place random")
	})
}
