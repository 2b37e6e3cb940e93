package lobby_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/lobbytest"
	"broadside/internal/test/must"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/lobby/ratingmode"
	"broadside/match"
	"broadside/match/audit"
	"broadside/match/live"
)

// openWith returns a lobby with a store that closes with the test.
func openWith(t *testing.T, s *store.Store) *lobby.Lobby {
	t.Helper()
	l := lobbytest.Open(lobby.Config{Seed: 1, BotPace: -1, Store: s})
	t.Cleanup(l.Close)
	return l
}

// openStored returns a lobby with its own store.
func openStored(t *testing.T) (*store.Store, *lobby.Lobby) {
	t.Helper()
	s := storetest.Open(t)
	return s, openWith(t, s)
}

// newAccount creates a person with an account.
func newAccount(t *testing.T, s *store.Store, name string) account.Player {
	t.Helper()
	p := must.Get(s.Accounts.CreatePerson(t.Context(), name, store.Key{Fingerprint: "SHA256:" + name}))
	return account.Player{ID: p.ID, Account: p.ID, Name: name}
}

// reader is a seat's mailbox, or a spectator.
type reader interface {
	Receive(context.Context, *live.Update) error
}

// theEnd reads up to the update that shows the end of the match.
func theEnd(t *testing.T, b reader) match.View {
	t.Helper()
	var u live.Update
	for u.View.Phase != match.Over {
		if err := b.Receive(t.Context(), &u); err != nil {
			t.Fatalf("the match has not ended: %v", err)
		}
	}
	return u.View
}

func TestMatchIsStoredBeforeItsEndIsSeen(t *testing.T) {
	s, l := openStored(t)
	first, second := seat(t, l, newAccount(t, s, "Ann"), newAccount(t, s, "Bob"))
	boxes := []reader{first.Seat.Attach(nil), second.Seat.Attach(nil), first.Seat.Match().Watch(nil)}
	if o := first.Outcome(); o != (lobby.Outcome{}) {
		t.Errorf("outcome of a running match: %+v", o)
	}
	count(first, second)
	first.Seat.Resign()
	for _, b := range boxes {
		theEnd(t, b)
		m := must.Get(s.Matches.FindByID(t.Context(), first.Seat.Match().ID()))
		if m.Winner != match.Second || m.Reason != match.Resigned || !m.Rated || m.Seats[0].Name != "Ann" || m.Seats[1].Kind != store.Person {
			t.Errorf("stored as %+v", m.Summary)
		}
		if _, err := match.Replay(m.Rules, audit.Flag, m.Events); err != nil {
			t.Error(err)
		}
		o := second.Outcome()
		if !o.Stored || !o.Rated || o.After[1] <= o.Before[1] || o.After[0] >= o.Before[0] || o.After[1] != m.Seats[1].After || o != first.Outcome() {
			t.Errorf("outcome %+v", o)
		}
	}
}

// count places both fleets and fires the shots after which a match counts.
func count(first, second *lobby.Seat) {
	first.Seat.Place(layout())
	second.Seat.Place(layout())
	for i := range match.CountingShots {
		second.Seat.Fire(match.NewCell(i, 9))
		first.Seat.Fire(match.NewCell(i, 9))
	}
}

// countWithBot is like count for a match against a bot.
func countWithBot(t *testing.T, s *lobby.Seat) {
	t.Helper()
	box, side := s.Seat.Attach(nil), s.Seat.Side()
	s.Seat.Place(layout())
	var u live.Update
	for asked := -1; !u.View.AlreadyCounts(); {
		must.Do(box.Receive(t.Context(), &u))
		if n := u.View.Charts[side].Fired; u.View.Phase == match.Battle && u.View.Turn == side && n > asked && n < match.CountingShots {
			s.Seat.Fire(match.NewCell(n, 9))
			asked = n
		}
	}
}

// seat pairs two players.
func seat(t *testing.T, l *lobby.Lobby, a, b account.Player) (first, second *lobby.Seat) {
	t.Helper()
	waits, comes := playNow(t, l, a, match.Classic()), playNow(t, l, b, match.Classic())
	return seated(t, waits), seated(t, comes)
}

func TestWhatIsRated(t *testing.T) {
	custom, standard, sameName := must.Get(match.CustomRules(12, 6, match.TouchAny)), must.Get(match.CustomRules(10, 5, match.TouchCorners)), match.Hasbro()
	// The rules standard are equal to classic except for the name.
	sameName.Name = "classic"
	for _, c := range []struct {
		name   string
		rated  bool
		rules  match.Rules
		counts bool
		end    func(a, b *lobby.Seat)
	}{
		{"two accounts", true, match.Classic(), true, func(a, _ *lobby.Seat) { a.Seat.Resign() }},
		{"two who resign before it counts", false, match.Classic(), false, func(a, _ *lobby.Seat) { a.Seat.Resign() }},
		{"a protocol broken before it counts", false, match.Classic(), false, func(a, _ *lobby.Seat) { a.Seat.Forfeit(match.Hangup) }},
		{"a protocol broken later", true, match.Classic(), true, func(a, _ *lobby.Seat) { a.Seat.Forfeit(match.Hangup) }},
		{"a match that nobody won", false, match.Classic(), false, func(a, _ *lobby.Seat) { a.Seat.Match().Abort() }},
		{"custom rules", false, custom, true, func(a, _ *lobby.Seat) { a.Seat.Resign() }},
		{"rules that only have the name", false, sameName, true, func(a, _ *lobby.Seat) { a.Seat.Resign() }},
		{"other preset rules, with a clock", true, match.Hasbro().WithClock(time.Minute), true, func(a, _ *lobby.Seat) { a.Seat.Resign() }},
		{"contradicting answers", true, match.Classic(), false, func(a, b *lobby.Seat) {
			a.Seat.Keep()
			b.Seat.Keep()
			for _, result := range []match.Result{match.Hit, match.Hit, match.Hit, match.Hit, match.Miss} {
				b.Seat.Fire(match.NewCell(5, 5))
				a.Seat.Answer(match.NewCell(5, 5), result)
				// After the last answer the match is over.
				a.Seat.Fire(match.NewCell(0, 0))
				b.Seat.Answer(match.NewCell(0, 0), match.Miss)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, l := openStored(t)
			waits, comes := playNow(t, l, newAccount(t, s, "Ann"), c.rules), playNow(t, l, newAccount(t, s, "Bob"), c.rules)
			a, b := seated(t, waits), seated(t, comes)
			if c.counts {
				count(a, b)
			}
			c.end(a, b)
			wantRated(t, s, a, c.rated)
		})
	}
	for _, c := range []struct {
		name   string
		rated  bool
		guest  bool
		rules  match.Rules
		choice lobby.RatingMode
	}{
		{"an account and a bot", true, false, match.Classic(), lobby.Rated},
		{"a guest and a bot", false, true, match.Classic(), lobby.Rated},
		{"a casual match", false, false, match.Classic(), lobby.Casual},
		{"custom rules against a bot", false, false, standard, lobby.Rated},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, l := openStored(t)
			p := account.Player{Name: "guest"}
			if !c.guest {
				p = newAccount(t, s, "Ann")
			}
			a := must.Get(l.Matches.PlayBot(p, "easy", c.rules, c.choice))
			countWithBot(t, a)
			a.Seat.Resign()
			wantRated(t, s, a, c.rated)
		})
	}
	t.Run("an account and a program", func(t *testing.T) {
		s, l := openStored(t)
		a, b := seat(t, l, newAccount(t, s, "Ann"), kraken)
		count(a, b)
		a.Seat.Resign()
		wantRated(t, s, a, false)
	})
}

// wantRated checks whether a match is rated once it has ended.
func wantRated(t *testing.T, s *store.Store, seat *lobby.Seat, want bool) {
	t.Helper()
	<-seat.Seat.Match().Done()
	m := must.Get(s.Matches.FindByID(t.Context(), seat.Seat.Match().ID()))
	if m.Rated != want || seat.Outcome().Rated != want {
		t.Errorf("rated %v, want %v: %+v", m.Rated, want, m.Summary)
	}
}

// TestCasualAndRatedOffersAreNotPaired checks that an offer of a casual match is not paired with one of a
// rated match.
func TestCasualAndRatedOffersAreNotPaired(t *testing.T) {
	s, l := openStored(t)
	ann, bob, eve := newAccount(t, s, "Ann"), newAccount(t, s, "Bob"), newAccount(t, s, "Eve")
	rated := must.Get(l.Offers.FindOpponent(ann, match.Classic(), lobby.Rated))
	casual := must.Get(l.Offers.FindOpponent(bob, match.Classic(), lobby.Casual))
	if rated.Terms.RatingMode != lobby.Rated || casual.Terms.RatingMode != lobby.Casual || !casual.Waits() {
		t.Fatalf("the offers are %v and %v", rated.Terms.RatingMode, casual.Terms.RatingMode)
	}
	var offered []lobby.RatingMode
	for _, w := range (<-l.Enter(account.Player{Name: "guest"}).Snapshots()).Waiting {
		offered = append(offered, w.RatingMode)
	}
	if !slices.Equal(offered, []lobby.RatingMode{lobby.Rated, lobby.Casual}) {
		t.Errorf("the lobby shows %v", offered)
	}
	third := must.Get(l.Offers.FindOpponent(eve, match.Classic(), lobby.Casual))
	if got := seated(t, third); got.Opponent.ID != bob.ID || got.RatingMode() != lobby.Casual {
		t.Errorf("paired with %s for a %v match", got.Opponent.Name, got.RatingMode())
	}
	// A guest accepts the rated offer: the match is casual, with the reason.
	comes := must.Get(l.Offers.FindOpponent(account.Player{Name: "guest"}, match.Classic(), lobby.Rated))
	if got := seated(t, comes); got.Opponent.ID != ann.ID || got.RatingMode() != ratingmode.CasualGuest {
		t.Errorf("paired with %s for a %v match", got.Opponent.Name, got.RatingMode())
	}
}
