package play

import (
	"testing"

	"broadside/match"
	"broadside/tui/widget"
)

// TestSalvoOfOneShot marks the only shot of a turn and another cell, for which no shot is left.
func TestSalvoOfOneShot(t *testing.T) {
	m := &Match{Env: &widget.Env{}, game: &game{}}
	m.game.last.View.Shots = 1
	s := salvo{}
	if s.toggleTarget(m, match.NewCell(0, 0)) || s.toggleTarget(m, match.NewCell(1, 0)) {
		t.Error("marking fires")
	}
	if want := "Your shot is marked: press f to fire, or unmark the cell."; m.Notice != want {
		t.Errorf("the notice is %q, want %q", m.Notice, want)
	}
	if !s.toggleTarget(m, match.NewCell(0, 0)) {
		t.Error("the last mark does not fire")
	}
}
