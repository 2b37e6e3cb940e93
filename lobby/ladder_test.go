package lobby_test

import (
	"errors"
	"testing"
	"time"

	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/match"
)

// TestRequestOfProgram checks that a waiting program plays a person who has requested a match
// before it plays anyone else on the ladder, and that only registered programs with a fixed
// fleet can join.
func TestRequestOfProgram(t *testing.T) {
	s := storetest.Open(t)
	ann := newAccount(t, s, "Ann")
	registered, _, err := s.Programs.Register(t.Context(), ann.Account, "squid", 1)
	if err != nil {
		t.Fatal(err)
	}
	squid := lobby.Player{ID: registered.ID, Account: registered.ID, Owner: registered.Owner, Name: "squid", Kind: lobby.Program, Fixed: true}
	without := lobby.New(lobby.Config{Seed: 1, Store: s})
	defer without.Close()
	if _, err := without.Offers.JoinLadder(squid, match.Classic()); !errors.Is(err, lobby.ErrNoLadder) {
		t.Errorf("without a ladder: %v", err)
	}
	l := lobby.New(lobby.Config{Seed: 1, Store: s, Ladder: true, LadderPause: time.Hour})
	defer l.Close()
	loose := squid
	loose.Fixed = false
	for name, p := range map[string]lobby.Player{"a person": newAccount(t, s, "Carl"), "a fleet that may change": loose, "not registered": {Name: "kraken", Kind: lobby.Program, Fixed: true}} {
		if _, err := l.Offers.JoinLadder(p, match.Classic()); err == nil {
			t.Errorf("%s joins the ladder", name)
		}
	}
	waits, err := l.Offers.JoinLadder(squid, match.Classic())
	if err != nil {
		t.Fatal(err)
	}
	bob := newAccount(t, s, "Bob")
	request, err := l.Offers.PlayNamed(bob, "Squid", match.Classic(), lobby.Casual)
	if err != nil || request.For() == "" {
		t.Fatalf("the request is %+v, %v", request, err)
	}
	select {
	case seat := <-request.Seated():
		if seat == nil || seat.Opponent.Name != "squid" || seat.Stakes() != lobby.Casual {
			t.Errorf("bob plays %+v", seat)
		}
	case <-time.After(time.Minute):
		t.Fatal("the program does not play")
	}
	select {
	case seat := <-waits.Seated():
		if seat == nil || seat.Opponent.Name != "Bob" || seat.Side() != match.Second {
			t.Errorf("the program plays %+v", seat)
		}
	case <-time.After(time.Minute):
		t.Fatal("the program has no seat")
	}
}
