package bots

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"broadside/internal/i18n"
	"broadside/match"
)

// TestRemarksFit checks that each bot has remarks for all occasions, and that each fits a line of 40 cells behind the
// bot's name, which may have seven letters where it is translated.
func TestRemarksFit(t *testing.T) {
	for _, b := range Opponents(match.Naval()) {
		n := 0
		for o, all := range remarks[b.Name] {
			if len(all) == 0 {
				t.Errorf("%s has nothing to say on occasion %d", b.Name, o)
			}
			n += len(all)
			for _, r := range all {
				for _, l := range i18n.Languages() {
					if got := max(len(b.Name), 7) + 2 + utf8.RuneCountInString(l.Text(r)); got > 40 {
						t.Errorf("%v, %s: %q takes %d cells", l, b.Name, l.Text(r), got)
					}
				}
			}
		}
		if n < 3 || n > 5 {
			t.Errorf("%s has %d remarks, want 3 to 5", b.Name, n)
		}
	}
}

// TestSpeakerVariesRemarks checks that a bot comments on some sinkings and every result, and never repeats itself.
func TestSpeakerVariesRemarks(t *testing.T) {
	s := NewSpeaker("easy", rand.New(rand.NewPCG(1, 1)))
	last, spoken := i18n.Key(""), 0
	for range 1000 {
		r := s.Remark(LostShip)
		if r == "" {
			continue
		}
		if r == last {
			t.Fatalf("%q twice in a row", r)
		}
		last = r
		spoken++
	}
	if spoken < 450 || spoken > 550 {
		t.Errorf("%d remarks on 1000 sinkings, want about half", spoken)
	}
	if s.Remark(WonMatch) == "" || s.Remark(LostMatch) == "" {
		t.Error("no remark on a result")
	}
	if r := NewSpeaker("grid:4,1,1", rand.New(rand.NewPCG(1, 1))).Remark(WonMatch); r != "" {
		t.Errorf("a bot without remarks says %q", r)
	}
}
