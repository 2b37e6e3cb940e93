package lobby_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
)

// TestRequestOfProgram checks that a waiting program plays a person who has requested a match
// before it plays anyone else on the ladder, and that only registered programs with a fixed
// fleet can join.
func TestRequestOfProgram(t *testing.T) {
	s := storetest.Open(t)
	ann := newAccount(t, s, "Ann")
	registered, _, err := s.Programs.Register(t.Context(), ann.Account, "squid", 1)
	must.Do(err)
	squid := account.Player{ID: registered.ID, Account: registered.ID, Owner: registered.Owner, Name: "squid", Kind: account.Program, Fixed: true}
	without := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
	defer without.Close()
	if _, err := without.Offers.JoinLadder(squid, match.Classic()); !errors.Is(err, lobby.ErrNoLadder) {
		t.Errorf("without a ladder: %v", err)
	}
	l := lobbytest.Open(lobby.Config{Seed: 1, Store: s, Ladder: true, LadderPause: time.Hour})
	defer l.Close()
	loose := squid
	loose.Fixed = false
	for name, p := range map[string]account.Player{"a person": newAccount(t, s, "Carl"), "a fleet that may change": loose, "not registered": {Name: "kraken", Kind: account.Program, Fixed: true}} {
		if _, err := l.Offers.JoinLadder(p, match.Classic()); err == nil {
			t.Errorf("%s joins the ladder", name)
		}
	}
	waits := must.Get(l.Offers.JoinLadder(squid, match.Classic()))
	bob := newAccount(t, s, "Bob")
	request, err := l.Offers.PlayOpponent(bob, "Squid", match.Classic(), lobby.Casual)
	if err != nil || request.Terms.OnlyName == "" {
		t.Fatalf("the request is %+v, %v", request, err)
	}
	select {
	case seat := <-request.Seat():
		if seat == nil || seat.Opponent.Name != "squid" || seat.RatingMode() != lobby.Casual {
			t.Errorf("bob plays %+v", seat)
		}
	case <-time.After(time.Minute):
		t.Fatal("the program does not play")
	}
	select {
	case seat := <-waits.Seat():
		if seat == nil || seat.Opponent.Name != "Bob" || seat.Side() != match.Second {
			t.Errorf("the program plays %+v", seat)
		}
	case <-time.After(time.Minute):
		t.Fatal("the program has no seat")
	}
}

// ladderPlayers returns two programs of different owners, another one of the second owner, and a lobby
// with a ladder.
func ladderPlayers(t *testing.T) (s *store.Store, l *lobby.Lobby, squid, whale, shrimp account.Player) {
	s = storetest.Open(t)
	register := func(owner account.Player, name string) account.Player {
		p, _, err := s.Programs.Register(t.Context(), owner.Account, name, 2)
		must.Do(err)
		player := account.ProgramPlayer(p)
		player.Fixed = true
		return player
	}
	ann, bob := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
	squid, whale, shrimp = register(ann, "squid"), register(bob, "whale"), register(bob, "shrimp")
	return s, lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: s, Ladder: true, LadderPause: time.Second}), squid, whale, shrimp
}

// TestLadderPairs lets two programs wait on the ladder twice: they play each other for ratings, the
// second time with swapped sides, and a third program of one of the owners is left over.
func TestLadderPairs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, l, squid, whale, shrimp := ladderPlayers(t)
		defer l.Close()
		join := func(p account.Player) *lobby.Offer { return must.Get(l.Offers.JoinLadder(p, match.Classic())) }
		var first [2]string
		for round := range 2 {
			a, b := join(squid), join(whale)
			began := time.Now()
			seatA, seatB := <-a.Seat(), <-b.Seat()
			if waited := time.Since(began); waited < time.Second || waited > 2*time.Second {
				t.Errorf("round %d: the match began after %v, want the pause", round, waited)
			}
			if seatA == nil || seatB == nil || seatA.Opponent.Name != "whale" || seatB.Opponent.Name != "squid" || seatA.RatingMode() != lobby.Rated || seatA.Side() == seatB.Side() {
				t.Fatalf("round %d: the seats are %+v and %+v", round, seatA, seatB)
			}
			if seatA.Side() == match.First {
				first[round] = "squid"
				count(seatA, seatB)
			} else {
				first[round] = "whale"
				count(seatB, seatA)
			}
			seatA.Resign()
			// The match is stored meanwhile.
			time.Sleep(time.Minute)
		}
		if first[0] == first[1] {
			t.Errorf("%s was first twice", first[0])
		}
		a, b := join(whale), join(shrimp)
		// This is less than a program waits for a bot.
		time.Sleep(5 * time.Second)
		select {
		case seat := <-a.Seat():
			t.Errorf("a program plays against %+v, another one of its owner or a bot", seat)
		case seat := <-b.Seat():
			t.Errorf("a program plays against %+v, another one of its owner or a bot", seat)
		default:
		}
		seat := <-a.Seat()
		if seat == nil || seat.Opponent.Kind != account.Bot || seat.RatingMode() != lobby.Rated {
			t.Errorf("after a while, the program plays %+v", seat)
		}
		p, err := l.Ladder.Page(t.Context(), "classic", "whale")
		if err != nil || p.Games != 2 || p.Won != 2 || !p.Online {
			t.Errorf("the page is %+v, %v", p, err)
		}
	})
}

// TestLadderLimits lets two programs wait on the ladder again and again: they play each other ten times
// a day, and bots from time to time. A program waits with at most four connections, and leaves no
// match behind if it leaves.
func TestLadderLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, l, squid, whale, _ := ladderPlayers(t)
		defer l.Close()
		play := func() (met bool) {
			a, b := must.Get(l.Offers.JoinLadder(squid, match.Classic())), must.Get(l.Offers.JoinLadder(whale, match.Classic()))
			seatA, seatB := <-a.Seat(), <-b.Seat()
			met = seatA.Opponent.ID == whale.ID
			if seatA.Side() == match.Second {
				seatA, seatB = seatB, seatA
			}
			if met {
				count(seatA, seatB)
				seatA.Resign()
			} else {
				countWithBot(t, seatA)
				countWithBot(t, seatB)
				seatA.Resign()
				seatB.Resign()
			}
			// The matches are stored meanwhile.
			time.Sleep(time.Minute)
			return met
		}
		for day := range 2 {
			met := 0
			for range 2 * store.MaxRatedADay {
				if play() {
					met++
				}
			}
			if met != store.MaxRatedADay {
				t.Errorf("on day %d, the programs have met %d times, want %d", day+1, met, store.MaxRatedADay)
			}
			time.Sleep(24 * time.Hour)
		}
		var offers []*lobby.Offer
		for range 4 {
			offers = append(offers, must.Get(l.Offers.JoinLadder(squid, match.Classic())))
		}
		if _, err := l.Offers.JoinLadder(squid, match.Classic()); err == nil {
			t.Error("a program waits with five connections")
		}
		for _, o := range offers {
			o.Cancel()
		}
		time.Sleep(time.Minute)
		if n := l.Matches.Count(); n != 0 {
			t.Errorf("%d matches begin without the program", n)
		}
	})
}
