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

// TestCup joins a cup by its code and gets a seat in its match.
func TestCup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		p, err := s.Accounts.CreatePerson(context.Background(), "ann", store.Key{Fingerprint: "SHA256:ann"})
		if err != nil {
			t.Fatal(err)
		}
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s, BotPace: -1})
		defer l.Close()
		player := account.OfPerson(p)
		c, err := l.Tournaments.New(t.Context(), player, tournament.Settings{
			Name: "5b", Format: tournament.Knockout, Rules: match.Classic(), Stakes: lobby.Casual,
		})
		if err != nil {
			t.Fatal(err)
		}
		ann := begin(t, Config{Session: session.New(session.Config{Lobby: l, Player: player}), Settings: account.DefaultSettings()})
		defer ann.leave()
		ann.say("cup")
		ann.hear("5b, " + c.Code + ": knockout, classic, casual, entrants: 0, not started.")
		ann.say("cup " + c.Code + " join")
		ann.hear("entrants: 1")
		ann.say("cup " + c.Code + " join easy")
		ann.hear("entrants: 2")
		ann.say("cup " + c.Code + " table")
		ann.hear("Place 1: ")
		ann.say("cup " + c.Code + " enter")
		ann.hear("After the code, type join")
		ann.say("cup " + c.Code + " start")
		ann.hear("Your next opponent is easy")
		ann.hear("place random")
	})
}
