package lobby_test

import (
	"testing"
	"testing/synctest"

	"broadside/internal/test/lobbytest"
	"broadside/internal/test/storetest"
	"broadside/lobby"
	"broadside/match"
)

// TestCommitmentsAreOpenedAtTheEnd checks that the commitments shown before the first shot
// are those of the record, even after a restart, and that the record opens them.
func TestCommitmentsAreOpenedAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := storetest.Open(t)
		ann := newAccount(t, s, "Ann")
		config := lobby.Config{Seed: 1, BotPace: -1, Store: s}
		l := lobbytest.Open(config)
		seat, box := against(t, l, ann, "prolog")
		id := seat.Seat.Match().ID()
		told := until(t, box, fired(match.Second, 0)).Commitments
		seat.Seat.Fire(match.At(0, 0))
		volley(t, seat, box, 1, 4)
		l.Close()

		l = lobbytest.Open(config)
		defer l.Close()
		again := l.Matches.Unfinished(ann)
		box = again.Seat.Attach(nil)
		if u := until(t, box, fired(match.Second, 4)); u.Commitments != told {
			t.Errorf("after the restart the commitments are %q, they were %q", u.Commitments, told)
		}
		again.Seat.Resign()
		theEnd(t, box)
		m, err := s.Matches.ByID(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		salts := map[string]bool{}
		for _, e := range m.Events {
			if e.Kind != match.FleetPlaced {
				continue
			}
			seat := m.Seats[e.Side]
			if seat.Commitment == "" || seat.Commitment != told[e.Side] || match.Commitment(match.Opening(seat.Salt, e.Layout())) != told[e.Side] {
				t.Errorf("side %d: told %q, stored %q with the salt %q", e.Side, told[e.Side], seat.Commitment, seat.Salt)
			}
			salts[seat.Salt] = true
		}
		if len(salts) != 2 {
			t.Errorf("the salts are %v", salts)
		}
	})
}
