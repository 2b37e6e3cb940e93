package match_test

import (
	"testing"

	"broadside/match"
)

func TestNumberOfLayouts(t *testing.T) {
	for rules, want := range map[*match.Rules]int{
		ptr(match.Classic()): 2_898_771_376,
		ptr(match.Hasbro()):  15_046_987_768,
	} {
		if got := countLayouts(*rules); got != want {
			t.Errorf("%s has %d layouts, known are %d", rules.Name, got, want)
		}
	}
}

func ptr[T any](v T) *T { return &v }
