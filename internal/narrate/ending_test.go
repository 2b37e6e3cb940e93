package narrate_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/match"
	"broadside/match/live"
)

// TestEveryEndingIsDescribed checks that each reason has complete sentences for both players and for spectators,
// and a word that fits into lists.
func TestEveryEndingIsDescribed(t *testing.T) {
	for reason := match.FleetSunk; reason.String() != "?"; reason++ {
		v := &match.View{Phase: match.Over, Winner: match.Second, Reason: reason, Aborter: match.First}
		if reason.IsVoid() || reason == match.Endless {
			v.Winner = match.Nobody
		}
		for _, l := range i18n.Languages() {
			sentences := map[string]bool{}
			for _, side := range []match.Side{match.First, match.Second, match.Nobody} {
				n := narrate.Narrator{Side: side, Names: [2]string{"Kim", "Zoe"}}
				s := n.VerdictAndReason(v).Text(l)
				if strings.Contains(s, "%") || !strings.HasSuffix(s, ".") {
					t.Errorf("%v, %v, side %v: got %q, want a complete sentence", l, reason, side, s)
				}
				if side != match.Nobody && strings.Contains(s, n.Names[side]) {
					t.Errorf("%v, %v: %q names its reader, %s", l, reason, s, n.Names[side])
				}
				sentences[s] = true
			}
			if v.Winner != match.Nobody && len(sentences) != 3 {
				t.Errorf("%v, %v: sentences %v, want three different ones", l, reason, sentences)
			}
			if word := l.Text(narrate.ReasonWord(reason)); utf8.RuneCountInString(word) > 11 {
				t.Errorf("%v, %v: %q is longer than 11 characters", l, reason, word)
			}
		}
	}
}

// TestMissedEventsShowLastShots checks that an update without its events is described by the last shots, the older
// ones first.
func TestMissedEventsShowLastShots(t *testing.T) {
	now := &live.Update{Missed: true, View: match.View{Phase: match.Battle, Turn: match.Second, Rules: match.Classic()}}
	now.View.Last[match.First] = []match.Shot{{Cell: match.NewCell(0, 0), Result: match.Hit}}
	now.View.Last[match.Second] = []match.Shot{{Cell: match.NewCell(1, 2), Result: match.Miss}}
	n := narrate.Narrator{Side: match.First, Names: [2]string{"Kim", "Zoe"}}
	var got []string
	for _, l := range n.ChangeLines(&live.Update{}, now) {
		got = append(got, l.Full.Text(i18n.English))
	}
	if want := []string{"Zoe fired at C2: miss.", "You fired at A1: hit."}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
