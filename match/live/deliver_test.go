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

// TestAnswerBefore checks that a result and the shot after it arrive together.
func TestAnswerBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := start(t, match.Classic(), program, program)
		boxes := [2]*live.Mailbox{m.Seat(match.First).Attach(), m.Seat(match.Second).Attach()}
		m.Seat(match.First).Keep()
		m.Seat(match.Second).Keep()
		m.Seat(match.Second).Fire(match.At(4, 4))
		latest(t, boxes[match.Second])
		delivered := 0
		boxes[match.Second].Deliver(func(u *live.Update) bool {
			delivered++
			if len(u.Events) != 2 || u.Events[0].Kind != match.ShotAnswered || u.Events[1].Kind != match.ShotFired {
				t.Errorf("%+v arrives", u.Events)
			}
			return true
		})
		m.Seat(match.First).AnswerBefore(match.At(4, 4), match.Water)
		synctest.Wait()
		if delivered > 0 {
			t.Error("the answer arrives before the shot")
		}
		m.Seat(match.First).Fire(match.At(5, 5))
		if delivered != 1 {
			t.Errorf("delivered %d times, not once", delivered)
		}
		boxes[match.Second].Deliver(nil) // not the end of the match
	})
}

// TestAnswerBeforeNothing checks that an answer that ends the match arrives without the next command.
func TestAnswerBeforeNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := start(t, match.Classic(), program, program)
		box := m.Seat(match.Second).Attach()
		m.Seat(match.First).Attach()
		m.Seat(match.First).Keep()
		m.Seat(match.Second).Keep()
		m.Seat(match.Second).Fire(match.At(4, 4))
		m.Seat(match.First).AnswerBefore(match.At(5, 5), match.Water) // another cell
		if u := latest(t, box); u.View.Reason != match.WrongCell {
			t.Errorf("the match has ended by %v", u.View.Reason)
		}
	})
}
