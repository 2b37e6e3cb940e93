package lobby_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/lobby/account"
	"broadside/match"
	"broadside/match/live"
)

func TestHotSeat(t *testing.T) {
	company(t, func(t *testing.T, l *lobby.Lobby, b *lobby.Member) {
		b.ShowFeatured(true)
		for _, names := range [][2]string{{"dan", "DAN"}, {"", "eve"}, {"dan", ""}, {"dan", strings.Repeat("e", 17)}} {
			if _, err := l.Matches.StartHotSeat(bob, names, match.Classic()); !errors.Is(err, lobby.ErrPlayerNames) {
				t.Errorf("%q: %v", names, err)
			}
		}
		first, err := l.Matches.StartHotSeat(bob, [2]string{"dan", "eve"}, match.Classic())
		must.Do(err)
		second := first.Partner
		if first.Seat.Side() != match.First || first.Opponent.Name != "eve" || second.Opponent.Name != "dan" || second.Partner != first {
			t.Fatalf("%+v and %+v", first, second)
		}

		// Other players see only that bob is playing.
		time.Sleep(time.Second)
		s := <-b.Snapshots()
		if len(s.People) != 3 || len(s.Running) != 0 || s.Featured.Players[0].Kind != account.Bot || !s.People[1].Playing {
			t.Errorf("the others see %+v", s)
		}
		b.ShowFeatured(false)
		if _, err := l.Matches.Watch(first.Seat.Match().ID(), true, nil); !errors.Is(err, lobby.ErrNoMatch) {
			t.Errorf("another player can watch: %v", err)
		}
		_, err = l.Offers.Challenge(ann, bob.ID, match.Classic(), lobby.Rated)
		refused(t, err, "who is playing")

		// The second player's clock waits until the first has placed.
		first.Seat.Attach(nil)
		box := second.Seat.Attach(nil)
		time.Sleep(time.Hour)
		var u live.Update
		if err := box.Receive(t.Context(), &u); err != nil || u.View.Ready != [2]bool{} || !u.Deadline.IsZero() {
			t.Errorf("%+v, %v", u, err)
		}
		if found := l.Matches.FindUnfinished(bob); found == nil || found.Partner == nil {
			t.Errorf("the match is found again as %+v", found)
		}

		var both sync.WaitGroup
		both.Go(func() { playOut(t, first.Seat) })
		both.Go(func() { playOut(t, second.Seat) })
		both.Wait()
		if rec := first.Seat.Match().WaitForRecord(); rec.Reason != match.FleetSunk || rec.Names != [2]string{"dan", "eve"} {
			t.Errorf("it ended for %v with %v", rec.Reason, rec.Names)
		}
		must.Get(first.OfferRematch())
		settings := must.Get(second.OfferRematch())
		again := seated(t, settings)
		if again.Seat.Side() != match.First || again.Opponent.Name != "dan" || again.Partner == nil {
			t.Errorf("the rematch is %+v", again)
		}
	})
}

// TestStoredHotSeats checks that a hot-seat match is in the history of the terminal's
// owner if they play, and in no other history.
func TestStoredHotSeats(t *testing.T) {
	for _, c := range []struct {
		what  string
		guest bool
		names [2]string
		end   func(first, second *lobby.Seat)
		// stored holds the stored names, which are empty if the match is not stored.
		stored [2]string
	}{
		{"the owner defends", false, [2]string{"ANN", "Bob"}, func(a, _ *lobby.Seat) { a.Seat.Resign() }, [2]string{"ANN", "guest Bob"}},
		{"the owner shoots first", false, [2]string{"bob", "Ann"}, func(a, _ *lobby.Seat) { a.Seat.Resign() }, [2]string{"guest bob", "Ann"}},
		{"two others", false, [2]string{"dan", "eve"}, func(a, _ *lobby.Seat) { a.Seat.Resign() }, [2]string{}},
		{"broken off", false, [2]string{"Ann", "eve"}, func(a, _ *lobby.Seat) { a.Seat.Match().Abort() }, [2]string{}},
		{"a guest's terminal", true, [2]string{"gus", "eve"}, func(a, _ *lobby.Seat) { a.Seat.Resign() }, [2]string{}},
	} {
		t.Run(c.what, func(t *testing.T) {
			s, l := openStored(t)
			ann, bob := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
			owner := ann
			if c.guest {
				owner = account.Player{Name: "gus"}
			}
			first := must.Get(l.Matches.StartHotSeat(owner, c.names, match.Classic()))
			c.end(first, first.Partner)
			<-first.Seat.Match().Done()
			all := must.Get(s.Matches.List(t.Context(), store.Cursor{}, 9))
			if c.stored == ([2]string{}) {
				if len(all) > 0 {
					t.Errorf("stored as %+v", all[0])
				}
				return
			}
			if len(all) != 1 || all[0].Rated || all[0].Seats[0].Name != c.stored[0] || all[0].Seats[1].Name != c.stored[1] {
				t.Errorf("stored as %+v", all)
			}
			if public, err := s.Matches.RestrictTo("").List(t.Context(), store.Cursor{}, 9); err != nil || len(public) > 0 {
				t.Errorf("everyone finds %+v, %v", public, err)
			}
			if figures, err := s.Statistics.Figures(t.Context(), ann.Account); err != nil || len(figures) > 0 {
				t.Errorf("the match counts in %+v, %v", figures, err)
			}
			for _, p := range []account.Player{ann, bob} {
				if of, err := s.Matches.ListByPlayer(t.Context(), p.Account, store.Cursor{}, 9); err != nil || len(of) == 1 != (p == ann) {
					t.Errorf("in the history of %s: %+v, %v", p.Name, of, err)
				}
			}
		})
	}
}
