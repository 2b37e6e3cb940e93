package lobby_test

import (
	"errors"
	"math/rand/v2"
	"slices"
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
	"broadside/match/live"
)

const day = 24 * time.Hour

// startCorrespondence lets bob accept ann's offer of one day for each shot, and returns the match's ID.
func startCorrespondence(t *testing.T, l *lobby.Lobby, ann, bob account.Player, mode lobby.RatingMode) string {
	t.Helper()
	c := l.Correspondence
	must.Do(c.Offer(t.Context(), ann, lobby.CorrespondenceTerms{Rules: match.Classic(), Mode: mode, Pace: day}))
	offers := must.Get(c.ListOffers(t.Context(), bob))
	return must.Get(c.Accept(t.Context(), bob, offers[len(offers)-1].ID))
}

// comeBy opens a player's match, acts, waits until the action is stored, and leaves.
func comeBy(t *testing.T, l *lobby.Lobby, p account.Player, id string, act func(*live.Seat)) live.Update {
	t.Helper()
	seat := must.Get(l.Correspondence.Open(t.Context(), p, id))
	box := seat.Seat.Attach(nil)
	act(seat.Seat)
	must.Do(seat.WaitForCommands(t.Context()))
	synctest.Wait()
	var u live.Update
	for {
		next, err := box.Next()
		if next == nil || err != nil {
			break
		}
		u = *next
	}
	seat.Detach(box)
	return u
}

// turn returns a player's only match.
func turn(t *testing.T, l *lobby.Lobby, p account.Player) lobby.CorrespondenceMatch {
	t.Helper()
	all := must.Get(l.Correspondence.List(t.Context(), p))
	if len(all) != 1 {
		t.Fatalf("%s has %d matches, want 1", p.Name, len(all))
	}
	return all[0]
}

// TestCorrespondenceMatchOutlastsRestarts checks that a rated match can be played to its end over three restarts. The
// players are never connected at the same time, and the server's absences do not count.
func TestCorrespondenceMatchOutlastsRestarts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		ann, bob := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
		config := lobby.Config{Seed: 1, Store: s}
		l := lobbytest.Open(config)
		id := startCorrespondence(t, l, ann, bob, lobby.Rated)
		place := func(seat *live.Seat) { seat.Place(layout()) }
		comeBy(t, l, ann, id, place)
		if turn(t, l, ann).IsTurn || !turn(t, l, bob).IsTurn {
			t.Error("it is not only the turn of the player who has not placed a fleet")
		}
		time.Sleep(20 * time.Hour)
		comeBy(t, l, bob, id, place)
		players, cells := [2]account.Player{bob, ann}, layoutCells()
		for n := range 2*len(cells) - 1 {
			p := players[n%2]
			m := turn(t, l, p)
			if left := time.Until(m.Deadline).Round(time.Minute); !m.IsTurn || left != day {
				t.Fatalf("shot %d: %s's turn: %v, %v left, want %v", n, p.Name, m.IsTurn, left, day)
			}
			if n%5 == 0 {
				time.Sleep(20 * time.Hour)
			}
			if n == 5 || n == 15 || n == 20 {
				l.Close()
				time.Sleep(10 * day)
				l = lobbytest.Open(config)
				left := time.Until(turn(t, l, p).Deadline).Round(time.Minute)
				if left != 4*time.Hour {
					t.Errorf("after restart: %v left, want 4h", left)
				}
			}
			if got := l.Matches.Count(); n%5 == 0 && got != 0 {
				t.Errorf("shot %d: %d matches are loaded, want 0", n, got)
			}
			u := comeBy(t, l, p, id, func(seat *live.Seat) { seat.Fire(cells[n/2]) })
			if u.Refused != nil {
				t.Fatalf("shot %d is refused: %v", n, u.Refused)
			}
		}
		synctest.Wait()
		m, err := s.Matches.FindByID(t.Context(), id)
		if err != nil || m.Winner != match.Second || m.Reason != match.FleetSunk || !m.Rated {
			t.Errorf("got %+v, %v, want bob's rated win", m.Summary, err)
		}
		if all := must.Get(l.Correspondence.List(t.Context(), ann)); len(all) != 0 {
			t.Errorf("ann still has %d matches, want 0", len(all))
		}
		l.Close()
	})
}

// layoutCells returns the cells of layout()'s ships.
func layoutCells() (cells []match.Cell) {
	for _, ship := range layout() {
		cells = slices.AppendSeq(cells, ship.Cells().All())
	}
	return cells
}

func TestMissedDeadlineLoses(t *testing.T) {
	for _, c := range []struct {
		name   string
		placed []int
		winner match.Side
		reason match.Reason
	}{
		{"no fleet is placed", nil, match.Nobody, match.Endless},
		{"one fleet is placed", []int{1}, match.Second, match.Silent},
		{"no shot is fired", []int{0, 1}, match.First, match.Silent},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := storetest.Open(t)
				players := [2]account.Player{newAccount(t, s, "Ann"), newAccount(t, s, "Bob")}
				l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
				defer l.Close()
				id := startCorrespondence(t, l, players[0], players[1], lobby.Rated)
				for _, side := range c.placed {
					comeBy(t, l, players[side], id, func(seat *live.Seat) { seat.Place(layout()) })
				}
				time.Sleep(day - time.Minute)
				if _, err := s.Matches.FindByID(t.Context(), id); !errors.Is(err, store.ErrNotFound) {
					t.Fatalf("the match ended before its deadline: %v", err)
				}
				time.Sleep(12 * time.Minute)
				m, err := s.Matches.FindByID(t.Context(), id)
				if err != nil || m.Winner != c.winner || m.Reason != c.reason || m.Rated != (c.winner != match.Nobody) {
					t.Errorf("got winner %v, %v, rated %v, %v, want %v, %v", m.Winner, m.Reason, m.Rated, err, c.winner, c.reason)
				}
			})
		})
	}
}

// TestShipMoveKeepsDeadline checks that a player who moves a ship still has to fire within the same time.
func TestShipMoveKeepsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		ann, bob := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		defer l.Close()
		c, naval := l.Correspondence, match.Naval()
		must.Do(c.Offer(t.Context(), ann, lobby.CorrespondenceTerms{Rules: naval, Mode: lobby.Casual, Pace: day}))
		id := must.Get(c.Accept(t.Context(), bob, must.Get(c.ListOffers(t.Context(), bob))[0].ID))
		for i, p := range []account.Player{ann, bob} {
			fleet := naval.RandomLayout(rand.New(rand.NewPCG(1, uint64(i))))
			comeBy(t, l, p, id, func(seat *live.Seat) { seat.Place(fleet) })
		}
		comeBy(t, l, bob, id, func(seat *live.Seat) { seat.Fire(match.NewCell(9, 9)) })
		time.Sleep(5 * time.Hour)
		u := comeBy(t, l, ann, id, func(seat *live.Seat) { seat.Move(match.Stay) })
		if m := turn(t, l, ann); u.Refused != nil || !m.IsTurn || time.Until(m.Deadline).Round(time.Minute) != 19*time.Hour {
			t.Errorf("refused %v, got %v left, want ann's turn and 19h", u.Refused, time.Until(m.Deadline))
		}
		comeBy(t, l, ann, id, func(seat *live.Seat) { seat.Fire(match.NewCell(9, 9)) })
		if m := turn(t, l, bob); !m.IsTurn || time.Until(m.Deadline).Round(time.Minute) != day {
			t.Errorf("got %v left, want bob's turn and a day", time.Until(m.Deadline))
		}
	})
}

// TestBothDeadlinesPassDuringOutage checks that the players still have their time when the server returns.
func TestBothDeadlinesPassDuringOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		ann, bob := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		id := startCorrespondence(t, l, ann, bob, lobby.Casual)
		time.Sleep(time.Hour)
		l.Close()
		time.Sleep(5 * day)
		l = lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		defer l.Close()
		time.Sleep(22 * time.Hour)
		for _, p := range []account.Player{ann, bob} {
			comeBy(t, l, p, id, func(seat *live.Seat) { seat.Place(layout()) })
		}
		if m := turn(t, l, bob); !m.IsTurn {
			t.Errorf("got %+v, want bob's turn", m)
		}
	})
}

// TestCorrespondenceMatchInTwoSessions checks that the newest session has the seat, and that the match
// stays loaded while one of them uses it.
func TestCorrespondenceMatchInTwoSessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		ann, bob := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		defer l.Close()
		id := startCorrespondence(t, l, ann, bob, lobby.Casual)
		first := must.Get(l.Correspondence.Open(t.Context(), ann, id))
		old := first.Seat.Attach(nil)
		second := must.Get(l.Correspondence.Open(t.Context(), ann, id))
		box := second.Seat.Attach(nil)
		if first.Seat.Match() != second.Seat.Match() {
			t.Fatal("the match runs twice")
		}
		var u live.Update
		for {
			err := old.Receive(t.Context(), &u)
			if errors.Is(err, live.ErrReplaced) {
				break
			}
			must.Do(err)
		}
		first.Detach(old)
		time.Sleep(time.Hour)
		second.Seat.Place(layout())
		until(t, box, func(u *live.Update) bool { return u.View.Fleets[match.First] != nil })
		second.Detach(box)
		time.Sleep(21 * time.Minute)
		if got := l.Matches.Count(); got != 0 {
			t.Errorf("%d matches are loaded, want 0", got)
		}
	})
}

func TestCorrespondenceLimits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		ann, bob := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		defer l.Close()
		c := l.Correspondence
		custom := match.Classic()
		custom.Size = 9
		terms := lobby.CorrespondenceTerms{Rules: custom, Mode: lobby.Rated, Pace: day}
		must.Do(c.Offer(t.Context(), ann, terms))
		if offers := must.Get(c.ListOffers(t.Context(), ann)); offers[0].Mode.IsRated() {
			t.Error("an offer with custom rules is rated")
		}
		must.Do(c.Withdraw(t.Context(), ann, must.Get(c.ListOffers(t.Context(), ann))[0].ID))
		terms = lobby.CorrespondenceTerms{Rules: match.Classic(), Mode: lobby.Casual, Pace: day}
		if err := c.Offer(t.Context(), account.Player{Name: "guest"}, terms); !errors.Is(err, lobby.ErrNeedsAccount) {
			t.Errorf("a guest's offer: got %v, want %v", err, lobby.ErrNeedsAccount)
		}
		for range lobby.MaxCorrespondenceMatches {
			startCorrespondence(t, l, ann, bob, lobby.Casual)
		}
		for range lobby.MaxCorrespondenceOffers {
			must.Do(c.Offer(t.Context(), ann, terms))
		}
		if err := c.Offer(t.Context(), ann, terms); err == nil {
			t.Errorf("ann made more than %d offers", lobby.MaxCorrespondenceOffers)
		}
		if _, err := c.Accept(t.Context(), bob, must.Get(c.ListOffers(t.Context(), bob))[0].ID); err == nil {
			t.Errorf("bob plays more than %d matches", lobby.MaxCorrespondenceMatches)
		}
		time.Sleep(lobby.CorrespondenceOfferTime + 11*time.Minute)
		if offers := must.Get(c.ListOffers(t.Context(), bob)); len(offers) != 0 {
			t.Errorf("%d offers after a month, want 0", len(offers))
		}
	})
}

// TestOfferToOnePlayer checks that only the named player sees, accepts or declines an offer, and that offers cannot be
// repeated to disturb that player.
func TestOfferToOnePlayer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		ann, bob, eve := newAccount(t, s, "Ann"), newAccount(t, s, "Bob"), newAccount(t, s, "Eve")
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		defer l.Close()
		c := l.Correspondence
		terms := lobby.CorrespondenceTerms{Rules: match.Classic(), Mode: lobby.Casual, Pace: day, Opponent: "bob"}
		must.Do(c.Offer(t.Context(), ann, terms))
		if offers := must.Get(c.ListOffers(t.Context(), eve)); len(offers) != 0 {
			t.Errorf("eve sees %d offers, want 0", len(offers))
		}
		offers := must.Get(c.ListOffers(t.Context(), bob))
		if len(offers) != 1 || !offers[0].IsForReader {
			t.Fatalf("bob sees %+v, want one offer to bob", offers)
		}
		if own := must.Get(c.ListOffers(t.Context(), ann)); !own[0].IsOwn || own[0].Opponent != "Bob" {
			t.Errorf("ann sees %+v, want her offer to Bob", own)
		}
		if _, err := c.Accept(t.Context(), eve, offers[0].ID); !errors.Is(err, lobby.ErrOfferGone) {
			t.Errorf("eve accepts: got %v, want %v", err, lobby.ErrOfferGone)
		}
		if err := c.Withdraw(t.Context(), eve, offers[0].ID); !errors.Is(err, lobby.ErrOfferGone) {
			t.Errorf("eve declines: got %v, want %v", err, lobby.ErrOfferGone)
		}
		must.Do(c.Withdraw(t.Context(), bob, offers[0].ID))
		if err := c.Offer(t.Context(), ann, terms); err == nil {
			t.Error("ann repeats a declined offer immediately")
		}
		time.Sleep(lobby.ChallengePause)
		must.Do(c.Offer(t.Context(), ann, terms))
		must.Do(c.Withdraw(t.Context(), ann, must.Get(c.ListOffers(t.Context(), ann))[0].ID))
		time.Sleep(lobby.ChallengePause)
		must.Do(s.Ignored.Add(t.Context(), bob.Account, ann.Account))
		if err := c.Offer(t.Context(), ann, terms); err == nil {
			t.Error("a muted player makes an offer")
		}
	})
}

// TestBannedPlayerForfeitsCorrespondence checks that a banned player's opponents win, and that the
// player's offers are gone.
func TestBannedPlayerForfeitsCorrespondence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		ann, bob := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
		l := lobbytest.Open(lobby.Config{Seed: 1, Store: s})
		defer l.Close()
		id := startCorrespondence(t, l, ann, bob, lobby.Casual)
		must.Do(l.Correspondence.Offer(t.Context(), ann, lobby.CorrespondenceTerms{Rules: match.Classic(), Mode: lobby.Casual, Pace: day}))
		must.Do(l.Correspondence.ForfeitAll(t.Context(), ann))
		synctest.Wait()
		m, err := s.Matches.FindByID(t.Context(), id)
		if err != nil || m.Winner != match.Second {
			t.Errorf("got winner %v, %v, want bob", m.Winner, err)
		}
		if offers := must.Get(l.Correspondence.ListOffers(t.Context(), bob)); len(offers) != 0 {
			t.Errorf("%d offers, want 0", len(offers))
		}
	})
}
