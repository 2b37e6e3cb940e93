package match_test

import (
	"testing"

	"broadside/match"
)

// TestWrecks checks that a chart's board shows the parts of sunk ships in both directions.
func TestWrecks(t *testing.T) {
	c := match.NewChart(match.Classic())
	for _, name := range []string{"B2", "B3", "B4", "F7", "G7"} {
		cell, err := match.ParseCell(name)
		if err != nil {
			t.Fatal(err)
		}
		c.Sunk.Add(cell)
	}
	b := c.Board()
	for at, want := range map[match.Cell]match.Square{
		match.NewCell(1, 1): {Ship: 1, Part: match.Part{Heading: match.East, Stern: true}},
		match.NewCell(2, 1): {Ship: 1, Part: match.Part{Heading: match.East}},
		match.NewCell(3, 1): {Ship: 1, Part: match.Part{Heading: match.East, Bow: true}},
		match.NewCell(6, 5): {Ship: 2, Part: match.Part{Heading: match.North, Bow: true}},
		match.NewCell(6, 6): {Ship: 2, Part: match.Part{Heading: match.North, Stern: true}},
	} {
		want.State = match.HullSunk
		if got := b.Square(at); got != want {
			t.Errorf("%v: %+v, want %+v", at, got, want)
		}
	}
	if got := b.Square(match.NewCell(0, 0)); got != (match.Square{}) {
		t.Errorf("open water: %+v", got)
	}
}
