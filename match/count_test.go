package match_test

import (
	"testing"

	"broadside/match"
)

func TestNumberOfLayouts(t *testing.T) {
	for rules, want := range map[*match.Rules]int{
		pointerTo(match.Classic()): 2_898_771_376,
		pointerTo(match.Hasbro()):  15_046_987_768,
	} {
		if got := countLayouts(*rules); got != want {
			t.Errorf("%s has %d layouts, known are %d", rules.Name, got, want)
		}
	}
}

func pointerTo[T any](v T) *T { return &v }
