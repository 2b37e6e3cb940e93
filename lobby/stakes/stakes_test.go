package stakes

import "testing"

func TestTextOfStakes(t *testing.T) {
	for s := Rated; s <= CasualEarly; s++ {
		text, err := s.MarshalText()
		var got Stakes
		if err := got.UnmarshalText(text); err != nil || got != s {
			t.Errorf("%v is read as %v, %v", s, got, err)
		}
		if err != nil || s.Rated() != (s.Word() == "rated") || (s.Reason() == "") != (s <= Casual) {
			t.Errorf("%v: %v, %q, %q", s, err, s.Word(), s.Reason())
		}
	}
	got := Rated
	if err := got.UnmarshalText([]byte("from a newer version")); err != nil || got != Casual {
		t.Errorf("an unknown reason is read as %v, %v", got, err)
	}
}
