package tui

import (
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/i18n"
	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/session"
	"broadside/match"
)

// withLadder runs a test with a player in a lobby with a ladder, on which the program whale waits.
func withLadder(t *testing.T, cfg Config, test func(t *testing.T, d *driver)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		st := storetest.Open(t)
		whale := playLadder(t, st)
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: st, Ladder: true, LadderPause: time.Hour})
		defer l.Close()
		if _, err := l.Offers.JoinLadder(whale, match.Classic()); err != nil {
			t.Fatal(err)
		}
		d := driveWith(t, session.Config{Lobby: l, Player: ann}, cfg)
		defer d.close()
		d.pass(time.Minute) // for the ladder to read the matches
		test(t, d)
	})
}

// playLadder stores ladder matches of two bots and three programs, and returns the program
// whale. In most matches, the player listed first wins.
func playLadder(t *testing.T, st *store.Store) (whale account.Player) {
	t.Helper()
	owner, err := st.Accounts.CreatePerson(t.Context(), "ann", store.Key{Fingerprint: "SHA256:ann"})
	if err != nil {
		t.Fatal(err)
	}
	players := []store.Player{{Name: "whale"}, {Name: "hard"}, {Name: "kraken"}, {Name: "medium"}, {Name: "squid-with-long-name"}}
	for i, p := range players {
		if p.Name == "hard" || p.Name == "medium" {
			players[i], err = st.Accounts.EnsureBot(t.Context(), p.Name)
		} else {
			players[i], _, err = st.Programs.Register(t.Context(), owner.ID, p.Name, 3)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	seed := uint64(0)
	for range 3 {
		for i, better := range players {
			for _, other := range players[i+1:] {
				seed++
				storeLadderMatch(t, st, seed, better, other)
			}
		}
	}
	return account.Player{ID: players[0].ID, Account: players[0].ID, Owner: owner.ID, Name: "whale", Kind: account.Program, Fixed: true}
}

// storeLadderMatch stores a rated ladder match, which better loses if the seed is divisible by 4.
func storeLadderMatch(t *testing.T, st *store.Store, seed uint64, better, other store.Player) store.Summary {
	t.Helper()
	m := storetest.Match(seed, match.Classic(), "", "")
	winner := m.Winner
	if seed%4 == 0 {
		winner = winner.Other()
	}
	for side, p := range map[match.Side]store.Player{winner: better, winner.Other(): other} {
		m.Seats[side].Player, m.Seats[side].Name, m.Seats[side].Kind = p.ID, p.Name, p.Kind
	}
	m.Rated, m.Ladder = true, true
	m.Started = m.Started.AddDate(-27, 0, 0) // shortly before the bubble's clock
	stored, err := st.Matches.Finish(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

// TestGoldenLadder shows the table of the ladder and the page of a player, in English and German.
func TestGoldenLadder(t *testing.T) {
	for prefix, language := range map[string]string{"": "en", "de-": "de"} {
		cfg := Config{Width: 80, Height: 24, Language: i18n.MustParse(language)}
		withLadder(t, cfg, func(t *testing.T, d *driver) {
			d.press("P")
			d.see("kraken")
			d.golden(prefix + "ladder")
			d.press("down", "down", "enter")
			d.see("12")
			d.golden(prefix + "ladder-page")
		})
	}
}

// TestLadderPageRefreshes checks that the page of a player shows a match that ends while the page is
// open.
func TestLadderPageRefreshes(t *testing.T) {
	withLadder(t, Config{Width: 80, Height: 24}, func(t *testing.T, d *driver) {
		d.press("P")
		d.see("kraken")
		d.press("down", "down", "enter") // the bots come first, whose ratings are established
		d.see("Matches: 12")
		st := d.lobby.Store()
		whale, err := st.Accounts.ByName(t.Context(), "whale")
		if err != nil {
			t.Fatal(err)
		}
		kraken, err := st.Accounts.ByName(t.Context(), "kraken")
		if err != nil {
			t.Fatal(err)
		}
		storeLadderMatch(t, st, 99, whale, kraken)
		d.pass(time.Minute)
		other := drive(t, d.lobby, bob, 80, 24) // changes the lobby
		defer other.close()
		d.see("Matches: 13")
	})
}
