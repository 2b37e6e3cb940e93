package ratingmode

import (
	"strings"
	"testing"
)

func TestModeSurvivesText(t *testing.T) {
	stored := strings.Fields("rated casual guest rules hot-seat owner often fleet early disputed")
	for s := Rated; s <= CasualDisputed; s++ {
		text, err := s.MarshalText()
		if string(text) != stored[s] {
			t.Errorf("%d is stored as %s, want %s", s, text, stored[s])
		}
		var got Mode
		if err := got.UnmarshalText(text); err != nil || got != s {
			t.Errorf("%v is read as %v, %v", s, got, err)
		}
		if err != nil || s.IsRated() != (s.Word() == "rated") || (s.Reason() == "") != (s <= Casual) {
			t.Errorf("%v: %v, %q, %q", s, err, s.Word(), s.Reason())
		}
	}
	got := Rated
	if err := got.UnmarshalText([]byte("from a newer version")); err != nil || got != Casual {
		t.Errorf("an unknown reason is read as %v, %v", got, err)
	}
}
