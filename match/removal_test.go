package match_test

import (
	"errors"
	"testing"

	"broadside/match"
	"broadside/match/audit"
	"broadside/match/layoutfile"
)

// TestRemoval checks that the first side can remove the second one until the battle begins,
// and that nobody wins.
func TestRemoval(t *testing.T) {
	layout := match.Layout{}
	if l, err := layoutfile.Parse(match.Classic(), "carrier A1 A5\nbattleship C1 C4\ncruiser E1 E3\nsubmarine G1 G3\ndestroyer I1 I2\n"); err != nil {
		t.Fatal(err)
	} else {
		layout = l[0]
	}
	for _, c := range []struct {
		name   string
		placed int // sides that have placed their fleets
		by     match.Side
		want   error
	}{
		{"at once", 0, match.First, nil},
		{"while one side is placing", 1, match.First, nil},
		{"by the second side", 0, match.Second, match.ErrRemoval},
		{"in battle", 2, match.First, match.ErrRemoval},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := match.NewGame(match.Classic(), audit.Forfeit)
			for side := range c.placed {
				if _, err := g.Apply(match.Place(match.Side(side), layout)); err != nil {
					t.Fatal(err)
				}
			}
			_, err := g.Apply(match.Abort(c.by, match.Removed))
			if !errors.Is(err, c.want) {
				t.Fatalf("refused with %v", err)
			}
			v := g.View(match.Nobody)
			if c.want == nil && (v.Phase != match.Over || v.Winner != match.Nobody || v.Reason != match.Removed || v.Aborter != match.First) {
				t.Errorf("afterwards phase %v, %v won for %v by %v", v.Phase, v.Winner, v.Reason, v.Aborter)
			}
			if _, err := match.Replay(match.Classic(), audit.Forfeit, g.Events()); err != nil {
				t.Error(err)
			}
		})
	}
}
