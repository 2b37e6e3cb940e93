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

// delivers counts the updates that are delivered to a mailbox.
func delivers(b *live.Mailbox) *int {
	n := new(int)
	b.Deliver(func(*live.Update) bool { *n++; return true })
	return n
}

// TestAnswerBeforeShot checks that a result and the shot that follows it arrive together.
func TestAnswerBeforeShot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := start(t, match.Classic(), program, program)
		boxes := [2]*live.Mailbox{m.Seat(match.First).Attach(nil), m.Seat(match.Second).Attach(nil)}
		m.Seat(match.First).Keep()
		m.Seat(match.Second).Keep()
		m.Seat(match.Second).Fire(match.At(4, 4))
		latest(t, boxes[match.Second])
		n := delivers(boxes[match.Second])
		m.Seat(match.First).Answer(match.At(4, 4), match.Water, true)
		if synctest.Wait(); *n != 0 {
			t.Error("the result arrives before the shot")
		}
		m.Seat(match.First).Fire(match.At(5, 5))
		if synctest.Wait(); *n != 1 {
			t.Errorf("the result and the shot arrive in %d updates", *n)
		}
	})
}

// TestAnswerAtOnce checks that a result is not held back if something other than one shot may follow:
// after the last shot, before a salvo, and when the match ends.
func TestAnswerAtOnce(t *testing.T) {
	for _, c := range []struct {
		name   string
		rules  match.Rules
		shots  []match.Cell
		result match.Result // of the last shot
		cell   match.Cell   // of the last result
	}{
		{"last shot", match.Classic(), []match.Cell{match.At(4, 4)}, match.LastSunk, match.At(4, 4)},
		{"salvo", match.Salvo(), []match.Cell{match.At(0, 0), match.At(1, 1), match.At(2, 2), match.At(3, 3), match.At(4, 4)}, match.Water, match.At(4, 4)},
		{"wrong cell", match.Classic(), []match.Cell{match.At(4, 4)}, match.Water, match.At(5, 5)},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := start(t, c.rules, program, program)
				boxes := [2]*live.Mailbox{m.Seat(match.First).Attach(nil), m.Seat(match.Second).Attach(nil)}
				m.Seat(match.First).Keep()
				m.Seat(match.Second).Keep()
				m.Seat(match.Second).Fire(c.shots...)
				for _, cell := range c.shots[:len(c.shots)-1] {
					m.Seat(match.First).Answer(cell, match.Water, true)
				}
				latest(t, boxes[match.Second])
				n := delivers(boxes[match.Second])
				m.Seat(match.First).Answer(c.cell, c.result, true)
				if synctest.Wait(); *n == 0 {
					t.Error("the result does not arrive")
				}
			})
		})
	}
}
