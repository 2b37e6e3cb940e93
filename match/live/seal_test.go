package live_test

import (
	"testing"
	"testing/synctest"

	"broadside/match"
)

// TestSeals holds what is told of a layout before a battle against the layout.
func TestSeals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		salted := person
		salted.Salt = "salt"
		kept := program
		kept.Salt = "pepper"
		m := start(t, match.Classic(), salted, kept)
		box := m.Seat(match.Second).Attach()
		if u := latest(t, box); u.Seals != [2]string{} {
			t.Errorf("before there is a layout, it is sealed: %q", u.Seals)
		}
		m.Seat(match.First).Place(fleet)
		want := [2]string{match.Commitment(match.Opening("salt", fleet))}
		if u := latest(t, box); u.Seals != want || u.View.Fleets[match.First] != nil {
			t.Errorf("the other side is told %q, want %q", u.Seals, want)
		}
		m.Seat(match.Second).Keep()
		if u := latest(t, box); u.Seals != want {
			t.Errorf("after the other is ready, the seals are %q", u.Seals)
		}
		m.Seat(match.Second).Resign()
		if rec := m.Record(); rec.Seals != want {
			t.Errorf("the record has the seals %q", rec.Seals)
		}
	})
}
