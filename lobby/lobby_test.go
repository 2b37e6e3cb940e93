package lobby_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/test/leaks"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

func TestMain(m *testing.M) { leaks.Main(m) }

var (
	ann    = account.Player{ID: "key-ann", Name: "ann"}
	bob    = account.Player{ID: "key-bob", Name: "bob"}
	kraken = account.Player{Name: "kraken", Kind: account.Program}
)

// open returns a lobby that closes with the test.
func open(t *testing.T) *lobby.Lobby {
	t.Helper()
	l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1})
	t.Cleanup(l.Close)
	return l
}

func playNow(t *testing.T, l *lobby.Lobby, p account.Player, r match.Rules) *lobby.Offer {
	t.Helper()
	return must.Get(l.Offers.FindOpponent(p, r, lobby.Rated))
}

// seated returns the seat of an offer that must be accepted by now.
func seated(t *testing.T, offer *lobby.Offer) *lobby.Seat {
	t.Helper()
	select {
	case s, ok := <-offer.Seat():
		if !ok {
			t.Fatalf("no seat: %v", offer.Err())
		}
		return s
	default:
		t.Fatal("no seat yet")
		return nil
	}
}

// paired seats ann, who came first, and bob.
func paired(t *testing.T, l *lobby.Lobby) (first, second *lobby.Seat) {
	t.Helper()
	a, b := playNow(t, l, ann, match.Classic()), playNow(t, l, bob, match.Classic())
	return seated(t, a), seated(t, b)
}

// TestFindOpponentPairsEqualOffers checks which players FindOpponent pairs, and on which sides.
func TestFindOpponentPairsEqualOffers(t *testing.T) {
	l := open(t)
	a := playNow(t, l, ann, match.Classic())
	if !a.Cancel() || a.Cancel() {
		t.Error("cancelling works once")
	}
	a = playNow(t, l, ann, match.Classic().WithClock(15*time.Second))
	again, h := playNow(t, l, ann, match.Classic()), playNow(t, l, bob, match.Hasbro())
	if a.Waits() || !again.Waits() || !h.Waits() {
		t.Fatal("a person's newest offer waits, and other rules do not pair")
	}
	a = playNow(t, l, ann, match.Classic().WithClock(15*time.Second))
	k := playNow(t, l, kraken, match.Classic())
	if k.Cancel() {
		t.Error("cancelled although seated")
	}
	first, second := seated(t, a), seated(t, k)
	if first.Opponent.Name != "kraken" || first.Side() != match.First || second.Opponent.Name != "ann" || second.Side() != match.Second {
		t.Errorf("the seats are %+v and %+v", first, second)
	}
	if clock := second.Rules().Clock; clock != 15*time.Second {
		t.Errorf("the clock is %v, want that of the waiting player", clock)
	}
}

// playOut lets both sides of a match fire until it ends.
func playOut(t *testing.T, seat *live.Seat) {
	t.Helper()
	box := seat.Attach(nil)
	placed := false
	for {
		var u live.Update
		err := box.Receive(t.Context(), &u)
		if errors.Is(err, live.ErrEnded) {
			return
		}
		if err != nil {
			t.Error(err)
			return
		}
		if !placed {
			placed = true
			seat.Place(u.View.Rules.RandomLayout(rng()))
		}
		chart := u.View.Charts[seat.Side()]
		if u.View.Phase == match.Battle && u.View.Turn == seat.Side() {
			seat.Fire(chart.OpenCells().Nth(0))
		}
	}
}

func TestBotPlaysWholeMatch(t *testing.T) {
	l := open(t)
	for _, name := range []string{"easy", "prolog", "hard"} {
		s := must.Get(l.Matches.PlayBot(ann, name, match.Classic(), lobby.Rated))
		if s.Seat.Side() != match.Second || s.Opponent.Kind != account.Bot {
			t.Errorf("against %s: side %v, opponent %+v", name, s.Seat.Side(), s.Opponent)
		}
		playOut(t, s.Seat)
		if rec := s.Seat.Match().WaitForRecord(); rec.Reason != match.FleetSunk {
			t.Errorf("the match against %s ended by %v", name, rec.Reason)
		}
		if again := seated(t, must.Get(s.OfferRematch())); again.Side() != match.First {
			t.Errorf("in the rematch, ann has side %v", again.Side())
		} else {
			again.Seat.Resign()
		}
	}
	if _, err := l.Matches.PlayBot(ann, "nobody", match.Classic(), lobby.Rated); err == nil {
		t.Error("a bot that does not exist was challenged")
	}
}

// TestPlayersAreListedOnce checks that a player is listed once, however many sessions they
// have, until the last one ends.
func TestPlayersAreListedOnce(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		first := l.Enter(ann)
		began := time.Now()
		time.Sleep(time.Second)
		vb := l.Enter(bob)
		time.Sleep(time.Second)
		second := l.Enter(ann)
		if s := news(t, vb); len(s.People) != 2 || s.People[0].Player != ann || !s.People[0].Since.Equal(began) || s.People[1].Player != bob {
			t.Errorf("with two sessions of ann there are here %+v", s.People)
		}
		first.Leave()
		if s := news(t, vb); len(s.People) != 2 || s.People[0].Player != bob || s.People[1].Player != ann {
			t.Errorf("with one of them gone there are here %+v", s.People)
		}
		second.Leave()
		if s := news(t, vb); len(s.People) != 1 {
			t.Errorf("with both gone there are here %+v", s.People)
		}
	})
}

func TestSnapshots(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		va := l.Enter(ann)
		if s := <-va.Snapshots(); len(s.People) != 1 || s.People[0].Player != ann {
			t.Fatalf("the first player sees %+v", s.People)
		}
		time.Sleep(time.Second)
		<-va.Snapshots()
		vb := l.Enter(account.Player{Name: "ann"})
		if got := vb.Player(); got.Name != "ann-2" || !got.Guest || got.ID == "" {
			t.Errorf("a guest of the same name is %+v", got)
		}
		if got := l.Enter(account.Player{Name: "hard"}).Player().Name; got != "hard-2" {
			t.Errorf("a guest took a bot's name: %s", got)
		}
		playNow(t, l, kraken, match.Classic())
		for range 50 {
			playNow(t, l, ann, match.Hasbro()).Cancel()
		}
		time.Sleep(time.Second)
		s := <-va.Snapshots()
		if len(s.People) != 3 || len(s.Waiting) != 1 || s.Waiting[0].Player.Name != "kraken" {
			t.Errorf("%d here, waiting %+v", len(s.People), s.Waiting)
		}
		select {
		case <-va.Snapshots():
			t.Error("many changes at once were told one by one")
		default:
		}
		playNow(t, l, va.Player(), match.Classic())
		vb.Leave()
		vb.Leave()
		time.Sleep(time.Second)
		s = <-va.Snapshots()
		if len(s.People) != 2 || len(s.Waiting) != 0 || len(s.Running) != 1 || !s.People[0].Playing {
			t.Errorf("after pairing: %+v", s)
		}
	})
}

func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := open(t)
		first, _ := paired(t, l)
		waiting := playNow(t, l, kraken, match.Classic())
		drained := make(chan error)
		go func() { drained <- l.Drain(t.Context()) }()
		if _, ok := <-waiting.Seat(); ok || !errors.Is(waiting.Err(), lobby.ErrClosing) {
			t.Errorf("the waiting seek fails with %v", waiting.Err())
		}
		_, seek := l.Offers.FindOpponent(bob, match.Classic(), lobby.Rated)
		_, bot := l.Matches.PlayBot(bob, "easy", match.Classic(), lobby.Rated)
		_, challenge := l.Offers.Challenge(ann, bob.ID, match.Classic(), lobby.Rated)
		_, private := l.Offers.OpenPrivateMatch(ann, match.Classic(), lobby.Rated)
		_, joining := l.Offers.JoinPrivateMatch(ann, "K3F-97W-QXM")
		_, accepting := l.Offers.Accept(ann, 1)
		for i, err := range []error{seek, bot, challenge, private, joining, accepting} {
			if !errors.Is(err, lobby.ErrClosing) {
				t.Errorf("attempt %d to play fails with %v", i, err)
			}
		}
		synctest.Wait()
		select {
		case <-drained:
			t.Error("draining did not wait for a running match")
		default:
		}
		// No bots play any more, but the running match can still be watched, although no one fires.
		w, err := l.Matches.FindAndWatch(lobby.FeaturedMatch, nil)
		if err != nil || w.MatchID() != first.Seat.Match().ID() {
			t.Fatalf("the featured match while draining: %v", err)
		}
		w.Leave()
		first.Seat.Resign()
		must.Do(<-drained)
		if rec := first.Seat.Match().WaitForRecord(); rec.Reason != match.Resigned {
			t.Errorf("the match ended for %v", rec.Reason)
		}
	})
}

func TestDrainEndsWhatTakesTooLong(t *testing.T) {
	l := open(t)
	first, _ := paired(t, l)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Drain(ctx); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "without a winner: 1") {
		t.Errorf("with a match running, draining ends with %v", err)
	}
	if rec := first.Seat.Match().WaitForRecord(); rec.Winner != match.Nobody || rec.Reason != match.Closed {
		t.Errorf("winner %v for %v", rec.Winner, rec.Reason)
	}
}

// TestUnfinished checks that a player with several matches returns to the one that they
// left, not to one that another session plays.
func TestUnfinished(t *testing.T) {
	bubble(t, func(t *testing.T, l *lobby.Lobby) {
		if s := l.Matches.FindUnfinished(ann); s != nil {
			t.Fatalf("before there is any: %+v", s)
		}
		defer func() {
			if l.Matches.FindUnfinished(account.Player{Name: "ann"}) != nil {
				t.Error("a guest of the same name was given a seat")
			}
		}()
		var all [3]*lobby.Seat
		var boxes [3]*live.Mailbox
		for i := range all {
			var err error
			if all[i], err = l.Matches.PlayBot(ann, "easy", match.Classic(), lobby.Rated); err != nil {
				t.Fatal(err)
			}
			boxes[i] = all[i].Seat.Attach(nil)
			time.Sleep(time.Second)
		}
		back := func(want int, when string) {
			t.Helper()
			synctest.Wait()
			if got := l.Matches.FindUnfinished(ann); got != all[want] {
				t.Errorf("%s: not match %d", when, want)
			}
		}
		back(0, "all are played")
		all[2].Seat.Detach(boxes[2])
		back(2, "the last one is left")
		all[1].Seat.Detach(boxes[1])
		back(1, "the second one is left, too")
		again := all[1].Seat.Attach(nil)
		all[1].Seat.Detach(boxes[1])
		back(2, "the second one is played elsewhere")
		all[1].Seat.Detach(again)
		back(1, "it is left there, too")
		all[1].Seat.Resign()
		back(2, "it is over")
	})
}

func rng() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// TestMatchesOfAPerson checks that a player at the limit cannot start a match in any way,
// which does not affect other players.
func TestMatchesOfAPerson(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, MaxMatches: 2})
		defer l.Close()
		l.Enter(ann)
		l.Enter(bob)
		l.Enter(cara)
		var last *lobby.Seat
		for range 2 {
			var err error
			if last, err = l.Matches.PlayBot(ann, "easy", match.Classic(), lobby.Rated); err != nil {
				t.Fatal(err)
			}
		}
		waits := must.Get(l.Offers.FindOpponent(bob, match.Classic(), lobby.Rated))
		room := must.Get(l.Offers.OpenPrivateMatch(cara, match.Hasbro(), lobby.Rated))
		for name, begin := range map[string]func() error{
			"a bot":       func() error { _, err := l.Matches.PlayBot(ann, "easy", match.Classic(), lobby.Rated); return err },
			"play now":    func() error { _, err := l.Offers.FindOpponent(ann, match.Classic(), lobby.Rated); return err },
			"a challenge": func() error { _, err := l.Offers.Challenge(ann, bob.ID, match.Classic(), lobby.Rated); return err },
			"a room":      func() error { _, err := l.Offers.OpenPrivateMatch(ann, match.Classic(), lobby.Rated); return err },
			"joining":     func() error { _, err := l.Offers.JoinPrivateMatch(ann, room.Terms.Code); return err },
			"a hot seat":  func() error { _, err := l.Matches.StartHotSeat(ann, [2]string{"a", "b"}, match.Classic()); return err },
		} {
			if err := begin(); err == nil || !strings.Contains(err.Error(), "too many matches") {
				t.Errorf("%s: %v", name, err)
			}
		}
		select {
		case <-waits.Seat():
			t.Error("another player's offer is lost")
		default:
		}
		last.Seat.Forfeit(match.Left)
		synctest.Wait()
		if _, err := l.Offers.FindOpponent(ann, match.Hasbro(), lobby.Rated); err != nil {
			t.Errorf("with one match less: %v", err)
		}
		l.Matches.SetMaxPerPlayer(1)
		if _, err := l.Matches.PlayBot(ann, "easy", match.Classic(), lobby.Rated); err == nil {
			t.Error("a lower limit does not hold")
		}
		l.Matches.SetMaxPerPlayer(3)
		if _, err := l.Matches.PlayBot(ann, "easy", match.Classic(), lobby.Rated); err != nil {
			t.Errorf("with a higher limit: %v", err)
		}
	})
}
