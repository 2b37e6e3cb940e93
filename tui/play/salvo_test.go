package play

import (
	"testing"

	"broadside/match"
	"broadside/tui/widget"
)

// TestLastMarkFires checks that a salvo of one shot fires only when its mark is toggled again, and that no
// second cell can be marked.
func TestLastMarkFires(t *testing.T) {
	m := &Match{Env: &widget.Env{}, game: &game{}}
	m.game.last.View.Shots = 1
	s := salvo{}
	if s.toggleTarget(m, match.NewCell(0, 0)) || s.toggleTarget(m, match.NewCell(1, 0)) {
		t.Error("marking a cell fires")
	}
	if want := "Your shot is marked: press f to fire, or unmark the cell."; m.Notice != want {
		t.Errorf("notice %q, want %q", m.Notice, want)
	}
	if !s.toggleTarget(m, match.NewCell(0, 0)) {
		t.Error("toggling the last mark does not fire")
	}
}
