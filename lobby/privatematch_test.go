package lobby_test

import (
	"testing"

	"broadside/internal/store"
	"broadside/internal/test/must"
	"broadside/lobby"
	"broadside/match"
)

// TestPrivateRematch plays a private match and its rematch. Both stay private, and the host
// stays the host although the sides are swapped.
func TestPrivateRematch(t *testing.T) {
	s, l := openStored(t)
	ann, bob := newAccount(t, s, "Ann"), newAccount(t, s, "Bob")
	room := must.Get(l.Offers.OpenPrivateMatch(ann, match.Classic(), lobby.Casual))
	guest := must.Get(l.Offers.JoinPrivateMatch(bob, room.Terms.Code))
	host := seated(t, room)
	for n := range 2 {
		if !host.IsHost() || guest.IsHost() {
			t.Errorf("match %d: ann hosts: %v, bob hosts: %v", n+1, host.IsHost(), guest.IsHost())
		}
		if all := l.Matches.List(); len(all) != 1 || !all[0].Private {
			t.Errorf("match %d runs as %+v", n+1, all)
		}
		end := guest.Seat.Attach(nil)
		guest.Seat.Forfeit(match.Left)
		theEnd(t, end)
		<-guest.Seat.Match().Done()
		if n > 0 {
			break
		}
		mine := must.Get(host.OfferRematch())
		theirs := must.Get(guest.OfferRematch())
		host, guest = seated(t, mine), seated(t, theirs)
	}
	if host.Side() != match.Second {
		t.Error("the rematch has the sides of the first match")
	}
	// Close stores the matches.
	l.Close()
	for account, want := range map[string]int{ann.Account: 2, bob.Account: 2, "": 0} {
		if all, err := s.Matches.RestrictTo(account).List(t.Context(), store.Cursor{}, 9); err != nil || len(all) != want {
			t.Errorf("%q lists %d matches, want %d: %v", account, len(all), want, err)
		}
	}
}
