package tui

import (
	"testing"

	"broadside/lobby"
	"broadside/match"
)

// On a board with rows up to Z, the placement keys keep their functions, and capital
// letters are rows, as the help explains.
func TestPlacingOnALargeBoard(t *testing.T) {
	large, err := match.Custom(26, 5, match.TouchAny)
	if err != nil {
		t.Fatal(err)
	}
	withModel(t, 100, 40, func(t *testing.T, d *driver) {
		d.press("?")
		d.unseen("below row L")
		d.press("esc")
		d.playBot("easy", large, lobby.Rated)
		d.see("Place your fleet")
		d.press("?")
		d.see("below row L use capitals")
		d.press("esc", "x")
		d.see("All ships are placed.")
		d.press("z")
		d.see("not placed")
		s := d.placing
		for _, row := range []string{"M", "N", "O", "P", "Q", "R", "S", "T", "U", "X", "Z"} {
			d.press(row, "7")
			if got := s().at.String(); got != row+"7" {
				t.Errorf("%s 7 leads to %s", row, got)
			}
		}
		d.press("O", "7", "r", "enter")
		if got := s().layout[0]; got.Stern.String() != "O7" || got.Heading != match.South {
			t.Errorf("placed: %v", got)
		}
		d.press("u")
		if got := s().layout[0]; got.Length != 0 {
			t.Errorf("taken back, it lies at %v", got)
		}
	})
}

func TestPlacingByHand(t *testing.T) {
	withModel(t, 80, 24, func(t *testing.T, d *driver) {
		d.challenge()
		d.press("enter") // carrier A1–A5
		d.see("Press enter to place the battleship")
		if at := d.cursor().String(); at != "C1" {
			t.Errorf("beside the carrier there is room for the battleship at %s", at)
		}
		d.press("up", "enter")       // it would touch the carrier along an edge
		d.see("touches the carrier") // the notice names the ship
		d.see("► battleship")        // and still selected, at the same place
		d.press("down", "enter")     // C1–C4
		d.press("J", "9", "enter")   // cruiser over the edge
		d.see("is off the board")
		d.press("r")
		d.see("!") // a column up from J is off the board as well
		d.press("H", "1", "0", "enter")
		d.press("E", "1", "r", "enter", "u") // submarine, taken back
		d.see("► submarine")
		d.press("enter", "G", "1", "enter")
		d.see("All ships are placed.")
		d.press("enter")
		d.see("YOUR TURN")
	})
}
