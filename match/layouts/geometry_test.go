package layouts

import (
	"testing"

	"broadside/match"
)

// TestGamesShareAGeometry checks that rules share a geometry exactly if their fleets, boards and
// contact rules are the same.
func TestGamesShareAGeometry(t *testing.T) {
	classic := NewGeometry(match.Classic())
	for _, c := range []struct {
		rules match.Rules
		same  bool
	}{{match.Classic(), true}, {match.Salvo(), true}, {match.Hasbro(), false}, {fleetOf(11, match.TouchCorners, 5, 4, 3, 3, 2), false}} {
		if got := NewGeometry(c.rules) == classic; got != c.same {
			t.Errorf("%s shares the geometry of classic: got %t, want %t", c.rules.Name, got, c.same)
		}
	}
}

// TestLayoutOfPositions checks that a layout keeps its ships when it is converted to positions and
// back, whatever their headings.
func TestLayoutOfPositions(t *testing.T) {
	g := NewGeometry(match.Classic())
	ship := match.Ship{Stern: match.NewCell(4, 6), Heading: match.North, Length: 4}
	if got := g.Ship(g.Find(ship)).Cells(); got != ship.Cells() {
		t.Errorf("got a ship on %v, want %v", got, ship.Cells())
	}
	for _, ship := range []match.Ship{
		{Stern: match.NewCell(4, 1), Heading: match.North, Length: 4}, {Stern: match.NewCell(4, 6), Heading: match.East, Length: 1},
	} {
		if n := g.Find(ship); n != -1 {
			t.Errorf("got position %d for %v, which does not fit", n, ship)
		}
	}
}
