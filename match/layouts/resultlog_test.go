package layouts

import (
	"testing"

	"broadside/match"
)

// TestLogRefusesContradictions checks which result a log accepts after others for the same cell.
func TestLogRefusesContradictions(t *testing.T) {
	for _, c := range []struct {
		first, second match.Result
		want          bool
	}{
		{match.Miss, match.Miss, true}, {match.Miss, match.Hit, false}, {match.Miss, match.Sunk, false},
		{match.Hit, match.Hit, true}, {match.Hit, match.Sunk, true}, {match.Hit, match.Miss, false},
		{match.Sunk, match.Sunk, true}, {match.Sunk, match.Hit, false}, {match.Sunk, match.Miss, false},
	} {
		l := NewLog(match.Classic())
		if !l.Add(match.NewCell(3, 3), c.first) {
			t.Errorf("%v is refused", c.first)
		}
		if got := l.Add(match.NewCell(3, 3), c.second); got != c.want {
			t.Errorf("%v after %v: got %t, want %t", c.second, c.first, got, c.want)
		}
	}
	if NewLog(match.Classic()).Add(match.NewCell(0, 0), match.LastSunk) {
		t.Error("all ships can't have sunk after one shot")
	}
}
