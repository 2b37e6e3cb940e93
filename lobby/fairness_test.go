package lobby_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/ratingmode"
	"broadside/match"
)

// standing returns a player's rating under classic rules.
func standing(t *testing.T, s *store.Store, p account.Player) store.Standing {
	t.Helper()
	all := must.Get(s.Ratings.ListByPlayer(t.Context(), p.Account))
	for _, x := range all {
		if x.RuleSet == "classic" {
			return x
		}
	}
	return store.Standing{}
}

// TestNothingIsWonWithoutShots checks that a resignation before the match counts does not
// change ratings, in private matches and against bots.
func TestNothingIsWonWithoutShots(t *testing.T) {
	s, l := openStored(t)
	ann, bob := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
	for range 2 {
		room := must.Get(l.Offers.OpenPrivateMatch(ann, match.Classic(), lobby.Rated))
		enters := must.Get(l.Offers.JoinPrivateMatch(bob, room.Terms.Code))
		if got := seated(t, room); got.RatingMode() != lobby.Rated {
			t.Errorf("in the room a match is %v", got.RatingMode())
		}
		box := enters.Seat.Attach(nil)
		enters.Seat.Resign()
		if v := theEnd(t, box); v.Winner != match.Nobody || v.Reason != match.Aborted || v.Aborter != match.Second {
			t.Errorf("%v won: %v by %v", v.Winner, v.Reason, v.Aborter)
		}
	}
	// The host of a private match loses nothing.
	for range 5 {
		room := must.Get(l.Offers.OpenPrivateMatch(ann, match.Classic(), lobby.Rated))
		enters := must.Get(l.Offers.JoinPrivateMatch(bob, room.Terms.Code))
		box := enters.Seat.Attach(nil)
		if err := enters.RemoveOpponent(); !errors.Is(err, lobby.ErrNotHost) {
			t.Errorf("bob removes the owner of the room: %v", err)
		}
		must.Do(seated(t, room).RemoveOpponent())
		if v := theEnd(t, box); v.Winner != match.Nobody || v.Reason != match.Removed {
			t.Errorf("%v won: %v", v.Winner, v.Reason)
		}
		<-enters.Seat.Match().Done()
	}
	bot := must.Get(l.Matches.PlayBot(ann, "easy", match.Classic(), lobby.Rated))
	box := bot.Seat.Attach(nil)
	bot.Seat.Place(layout())
	bot.Seat.Fire(match.NewCell(0, 0))
	bot.Seat.Resign()
	theEnd(t, box)
	<-bot.Seat.Match().Done()
	if m, err := s.Matches.FindByID(t.Context(), bot.Seat.Match().ID()); err != nil || m.Rated || m.Casual != "early" || m.Reason != match.Aborted {
		t.Errorf("stored as %+v, %v", m.Summary, err)
	}
	for _, p := range []account.Player{ann, bob} {
		if x := standing(t, s, p); x.Games != 0 {
			t.Errorf("%s has a rating of %v from %d matches", p.Name, x.Rating, x.Games)
		}
		if form, err := s.Statistics.RecentOutcomes(t.Context(), p.Account, 5); err != nil || len(form) != 0 {
			t.Errorf("%s has results: %v, %v", p.Name, form, err)
		}
	}
}

// TestRemovingPlacedOpponentIsAbort checks that a private match's host may abort only a few rated matches
// by removing opponents who have placed their fleets.
func TestRemovingPlacedOpponentIsAbort(t *testing.T) {
	s, l := openStored(t)
	ann, bob := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
	for n := range 5 {
		room, err := l.Offers.OpenPrivateMatch(ann, match.Classic(), lobby.Rated)
		if n == 4 {
			if err == nil {
				t.Error("the host opens a rated match after four aborts")
			}
			return
		}
		must.Do(err)
		enters := must.Get(l.Offers.JoinPrivateMatch(bob, room.Terms.Code))
		host := seated(t, room)
		box := host.Seat.Attach(nil)
		enters.Seat.Place(layout())
		must.Do(host.RemoveOpponent())
		if v := theEnd(t, box); v.Reason != match.Removed || v.Fleets[match.Second] != nil {
			t.Errorf("the host sees %v and the fleet %v", v.Reason, v.Fleets[match.Second])
		}
	}
}

// TestBotsKeepTheirRatings checks that a loss against a bot lowers a player's rating, and that
// the bot's rating stays the same.
func TestBotsKeepTheirRatings(t *testing.T) {
	s, l := openStored(t)
	ann := newAccount(t, s, "Ann")
	easy := must.Get(s.Accounts.FindByName(t.Context(), "easy"))
	bot := account.Player{Account: easy.ID, Name: "easy"}
	before := standing(t, s, bot)
	a := must.Get(l.Matches.PlayBot(ann, "easy", match.Classic(), lobby.Rated))
	countWithBot(t, a)
	a.Seat.Resign()
	<-a.Seat.Match().Done()
	if after := standing(t, s, bot); after.Rating != before.Rating || after.Games != 1 || !after.IsSettled() {
		t.Errorf("easy had %v and has %v", before, after)
	}
	if x := standing(t, s, ann); x.Value >= 1500 || x.Games != 1 || x.Value != a.Outcome().After[match.Second] {
		t.Errorf("ann has %v, and was told %v", x, a.Outcome())
	}
}

// TestTenRatedMatchesADay checks that of two accounts' matches on one day, only ten are
// rated.
func TestTenRatedMatchesADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, l := openStored(t)
		ann, bob, eve := newAccount(t, s, "Ann"), newAccount(t, s, "Bob"), newAccount(t, s, "Eve")
		play := func(a, b account.Player) lobby.RatingMode {
			t.Helper()
			first, second := seat(t, l, a, b)
			count(first, second)
			first.Seat.Resign()
			<-first.Seat.Match().Done()
			if rated := first.Outcome().Rated; rated != first.RatingMode().IsRated() {
				t.Errorf("a match that is %v is stored as rated: %v", first.RatingMode(), rated)
			}
			return first.RatingMode()
		}
		for day := range 2 {
			for i := range store.MaxRatedADay {
				a, b := ann, bob
				if i%2 == 1 {
					a, b = bob, ann
				}
				if got := play(a, b); got != lobby.Rated {
					t.Fatalf("day %d, match %d is %v", day+1, i+1, got)
				}
			}
			before := standing(t, s, ann)
			if got := play(ann, bob); got != ratingmode.CasualOften {
				t.Errorf("day %d, one more is %v", day+1, got)
			}
			if after := standing(t, s, ann); after != before {
				t.Errorf("it has made %v of %v", after, before)
			}
			if got := play(eve, ann); got != lobby.Rated {
				t.Errorf("with another opponent it is %v", got)
			}
			time.Sleep(24 * time.Hour)
		}
	})
}

// TestLimitsOutlastRestart checks that a new lobby knows the aborts and the rated matches of the day of
// players who sign in.
func TestLimitsOutlastRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		ann, bob := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
		for range store.MaxRatedADay {
			first, second := seat(t, l, ann, bob)
			count(first, second)
			first.Seat.Resign()
			<-first.Seat.Match().Done()
		}
		for range lobby.FreeAborts + 1 {
			b := must.Get(l.Matches.PlayBot(bob, "easy", match.Classic(), lobby.Rated))
			b.Seat.Resign()
			<-b.Seat.Match().Done()
		}
		l.Close()

		l = lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		defer l.Close()
		signIn := func(fingerprint string) account.Player {
			return must.Get(l.Accounts.IdentifyKey(t.Context(), fingerprint))
		}
		bob = signIn("SHA256:Bob")
		if _, err := l.Offers.FindOpponent(bob, match.Classic(), lobby.Rated); err == nil || !strings.Contains(err.Error(), "wait 5 minutes") {
			t.Errorf("after %d aborts: %v", lobby.FreeAborts+1, err)
		}
		time.Sleep(5 * time.Minute)
		// One of the two players has signed in.
		first, _ := seat(t, l, bob, ann)
		if got := first.RatingMode(); got != ratingmode.CasualOften {
			t.Errorf("match %d of the day is %v", store.MaxRatedADay+1, got)
		}
		time.Sleep(24 * time.Hour)
		first, _ = seat(t, l, bob, signIn("SHA256:Ann"))
		if got := first.RatingMode(); got != lobby.Rated {
			t.Errorf("on the next day a match is %v", got)
		}
	})
}

// TestRatedMatchesAtOnce checks that concurrent matches count towards the limit.
func TestRatedMatchesAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s, MaxMatches: 20})
		defer l.Close()
		ann, bob := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
		var all []*lobby.Seat
		for range store.MaxRatedADay + 3 {
			first, second := seat(t, l, ann, bob)
			count(first, second)
			synctest.Wait()
			all = append(all, first)
		}
		rated := 0
		for _, m := range all {
			m.Seat.Resign()
			<-m.Seat.Match().Done()
			if m.Outcome().Rated {
				rated++
			}
		}
		if rated != store.MaxRatedADay {
			t.Errorf("%d are rated", rated)
		}
	})
}

// TestFrequentAbortsDelayRatedMatches checks that a player who aborts often must wait before the next
// rated match, longer each time. Casual matches are not affected, and aborts are forgotten
// after a day.
func TestFrequentAbortsDelayRatedMatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, l := openStored(t)
		ann := newAccount(t, s, "Ann")
		abort := func() {
			t.Helper()
			a := must.Get(l.Matches.PlayBot(ann, "easy", match.Classic(), lobby.Rated))
			a.Seat.Resign()
			<-a.Seat.Match().Done()
		}
		refused := func(time string) {
			t.Helper()
			for _, try := range []func(lobby.RatingMode) error{
				func(s lobby.RatingMode) error {
					_, err := l.Matches.PlayBot(ann, "easy", match.Classic(), s)
					return err
				},
				func(s lobby.RatingMode) error { _, err := l.Offers.FindOpponent(ann, match.Classic(), s); return err },
				func(s lobby.RatingMode) error {
					_, err := l.Offers.OpenPrivateMatch(ann, match.Classic(), s)
					return err
				},
			} {
				if err := try(lobby.Rated); err == nil || !strings.Contains(err.Error(), "wait "+time+" before") {
					t.Errorf("a rated match: %v", err)
				}
			}
			if _, err := l.Offers.OpenPrivateMatch(ann, match.Classic(), lobby.Casual); err != nil {
				t.Errorf("a casual match: %v", err)
			}
		}
		for range 4 {
			abort()
		}
		refused("5 minutes")
		time.Sleep(5 * time.Minute)
		abort()
		refused("10 minutes")
		time.Sleep(9*time.Minute + time.Second)
		refused("1 minute")
		time.Sleep(24 * time.Hour)
		for range 3 {
			abort()
		}
		a := must.Get(l.Matches.PlayBot(ann, "easy", match.Classic(), lobby.Rated))
		a.Seat.Resign()
		<-a.Seat.Match().Done()
	})
}

// TestAbortsAtTheSameTime checks that running matches that can still be aborted count towards the
// limit, however many are requested at the same moment.
func TestAbortsAtTheSameTime(t *testing.T) {
	s := storetest.Open(t)
	l := lobbytest.Open(lobby.Config{Seed: 1, Store: s, BotPace: -1, MaxMatches: 100})
	defer l.Close()
	ann, bob := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
	var mu sync.Mutex
	var running []*lobby.Seat
	var all sync.WaitGroup
	for range 27 {
		all.Go(func() {
			switch seat, err := l.Matches.PlayBot(ann, "easy", match.Classic(), lobby.Rated); {
			case err == nil:
				mu.Lock()
				defer mu.Unlock()
				running = append(running, seat)
			case !errors.Is(err, lobby.ErrTooManyEarlyMatches):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(running) != 4 {
		t.Fatalf("%d rated matches started at the same time, want 4", len(running))
	}
	for _, try := range []func(lobby.RatingMode) error{
		func(s lobby.RatingMode) error { _, err := l.Offers.FindOpponent(ann, match.Classic(), s); return err },
		func(s lobby.RatingMode) error {
			_, err := l.Offers.OpenPrivateMatch(ann, match.Classic(), s)
			return err
		},
		func(s lobby.RatingMode) error {
			_, err := l.Matches.PlayBot(ann, "easy", match.Classic(), s)
			return err
		},
	} {
		if err := try(lobby.Rated); !errors.Is(err, lobby.ErrTooManyEarlyMatches) {
			t.Errorf("another rated match: error %v, want %v", err, lobby.ErrTooManyEarlyMatches)
		}
		if err := try(lobby.Casual); err != nil {
			t.Errorf("a casual match: %v", err)
		}
	}
	offer := must.Get(l.Offers.FindOpponent(bob, match.Classic(), lobby.Rated))
	waiting := (<-l.Enter(bob).Snapshots()).Waiting
	number := waiting[len(waiting)-1].Offer
	if _, err := l.Offers.Accept(ann, number); !errors.Is(err, lobby.ErrTooManyEarlyMatches) {
		t.Errorf("an accepted offer: error %v, want %v", err, lobby.ErrTooManyEarlyMatches)
	}
	countWithBot(t, running[0])
	if _, err := l.Offers.Accept(ann, number); err != nil {
		t.Errorf("after three shots: %v", err)
	}
	seated(t, offer)
}

// TestDisputedMatchIsNoWin checks that a player whose answers contradict each other in a casual match
// has no win in the profile.
func TestDisputedMatchIsNoWin(t *testing.T) {
	s, l := openStored(t)
	ann := newAccount(t, s, "Ann")
	a, b := seat(t, l, ann, kraken)
	a.Seat.Keep()
	b.Seat.Keep()
	for i, result := range []match.Result{match.Hit, match.Hit, match.Hit, match.Hit, match.Miss} {
		b.Seat.Fire(match.NewCell(5, 5))
		a.Seat.Answer(match.NewCell(5, 5), result)
		a.Seat.Fire(match.NewCell(i, 0))
		b.Seat.Answer(match.NewCell(i, 0), match.Miss)
	}
	b.Seat.Resign()
	<-a.Seat.Match().Done()
	m, err := s.Matches.FindByID(t.Context(), a.Seat.Match().ID())
	if err != nil || m.Winner != match.First || m.Casual != store.Disputed {
		t.Errorf("stored as %+v, %v", m.Summary, err)
	}
	p, err := account.ReadProfile(t.Context(), s, store.Player{ID: ann.Account}, false)
	if err != nil || p.Total().Games != 1 || p.Total().Won != 0 || !slices.Equal(p.Form, []store.Outcome{store.Drawn}) {
		t.Errorf("the profile is %+v, %v", p, err)
	}
}
