package tui

import (
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

// openLadder opens a lobby with a ladder, on which the program whale waits, until the test ends.
func openLadder(t testing.TB) accountLobby {
	t.Helper()
	st := storetest.Open(t)
	whale := playLadder(t, st)
	l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: st, Ladder: true, LadderPause: time.Hour})
	t.Cleanup(l.Close)
	if _, err := l.Offers.JoinLadder(whale, match.Classic()); err != nil {
		t.Fatal(err)
	}
	return accountLobby{Lobby: l, store: st}
}

// playLadder stores ladder matches of two bots and three programs, and returns the program
// whale. In most matches, the player listed first wins.
func playLadder(t testing.TB, st *store.Store) (whale account.Player) {
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
func storeLadderMatch(t testing.TB, st *store.Store, seed uint64, better, other store.Player) store.Summary {
	t.Helper()
	m := storetest.NewMatch(seed, match.Classic(), "", "")
	winner := m.Winner
	if seed%4 == 0 {
		winner = winner.Other()
	}
	for side, p := range map[match.Side]store.Player{winner: better, winner.Other(): other} {
		m.Seats[side].Player, m.Seats[side].Name, m.Seats[side].Kind = p.ID, p.Name, p.Kind
	}
	m.Rated, m.Ladder = true, true
	// Started must be shortly before the test bubble's clock.
	m.Started = m.Started.AddDate(-27, 0, 0)
	stored, err := st.Matches.Finish(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

// beats stores a ladder match that one program wins against another.
func (h accountLobby) beats(t testing.TB, better, other string) {
	t.Helper()
	var players [2]store.Player
	for i, name := range []string{better, other} {
		var err error
		if players[i], err = h.store.Accounts.FindByName(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	storeLadderMatch(t, h.store, 99, players[0], players[1])
}
