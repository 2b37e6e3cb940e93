package live_test

import (
	"testing"
	"testing/synctest"

	"broadside/match"
	"broadside/match/live"
)

// TestDeliver checks that an update is either delivered or received, and that nothing is missed in
// between.
func TestDeliver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, boxes := begun(t, match.Classic(), person, person)
		first, second := m.Seat(match.First), m.Seat(match.Second)
		box := boxes[match.First]
		var seen []match.Event
		takes := true
		box.Deliver(func(u *live.Update) bool {
			if takes {
				if u.Missed {
					t.Error("an update was missed")
				}
				seen = append(seen, u.Events...)
			}
			return takes
		})
		second.Fire(match.At(0, 0)) // its result is known at once
		if len(seen) != 2 || seen[0].Kind != match.ShotFired || seen[1].Kind != match.ShotAnswered {
			t.Fatalf("%+v was delivered", seen)
		}
		silent(t, box)
		seen, takes = nil, false
		first.Fire(match.At(0, 0))
		second.Fire(match.At(9, 9))
		if u := latest(t, box); len(u.Events) != 4 || u.Missed {
			t.Errorf("what was not delivered is received as %+v, missed %v", u.Events, u.Missed)
		}
		takes = true
		first.Resign()
		synctest.Wait()
		if n := len(seen); n == 0 || seen[n-1].Kind != match.GameEnded {
			t.Errorf("%+v was delivered at the end", seen)
		}
	})
}
