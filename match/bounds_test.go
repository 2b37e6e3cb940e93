package match

import (
	"testing"

	"broadside/words"
)

// allSizes has the test below search for room where there is none, too, which
// takes a minute.
var allSizes = false

// TestSmallestBoards compares the table of smallest boards with the search that
// holds for all other fleets.
func TestSmallestBoards(t *testing.T) {
	for contact := TouchNone; contact <= TouchAny; contact++ {
		for n := minShips; n <= maxShips; n++ {
			size := smallest[contact][n-1]
			r := Rules{Name: "custom", Size: size, Fleet: standardShips(n), Contact: contact}
			if err := r.feasible(); err != nil {
				t.Errorf("%d ships, %v, on %d×%d: %v", n, contact, size, size, err)
			}
			if _, err := Custom(size, n, contact); err != nil {
				t.Errorf("custom: %v", err)
			}
			if size == minSize {
				continue
			}
			r.Size--
			if _, err := Custom(r.Size, n, contact); err == nil {
				t.Errorf("%d ships, %v, on %d×%d are not refused", n, contact, r.Size, r.Size)
			}
			if allSizes && r.feasible() == nil {
				t.Errorf("%d ships, %v, fit on %d×%d", n, contact, r.Size, r.Size)
			}
		}
	}
}

// TestTooSmallIsSaid in every language.
func TestTooSmallIsSaid(t *testing.T) {
	_, err := Custom(5, 10, TouchNone)
	said, ok := err.(words.Speaker)
	if !ok {
		t.Fatalf("%v is said in English only", err)
	}
	if got := said.Said().In(words.German); got != "10 Schiffe passen nicht auf 5×5: wähle eine Größe ab 10 oder weniger Schiffe" {
		t.Errorf("in German: %q", got)
	}
}
