package live_test

import (
	"testing"
	"testing/synctest"

	"broadside/match"
)

// TestCommitments compares the commitments shown before a battle with the layouts.
func TestCommitments(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		salted := person
		salted.Salt = "salt"
		kept := program
		kept.Salt = "pepper"
		m := start(t, match.Classic(), salted, kept)
		box := m.Seat(match.Second).Attach(nil)
		if u := latest(t, box); u.Commitments != [2]string{} {
			t.Errorf("commitments before any layout: %q", u.Commitments)
		}
		m.Seat(match.First).Place(fleet)
		want := [2]string{match.Commitment(match.Opening("salt", fleet))}
		if u := latest(t, box); u.Commitments != want || u.View.Fleets[match.First] != nil {
			t.Errorf("the other side sees %q, want %q", u.Commitments, want)
		}
		m.Seat(match.Second).Keep()
		if u := latest(t, box); u.Commitments != want {
			t.Errorf("after the other is ready, the commitments are %q", u.Commitments)
		}
		m.Seat(match.Second).Resign()
		if rec := m.Record(); rec.Commitments != want {
			t.Errorf("the record has the commitments %q", rec.Commitments)
		}
	})
}
