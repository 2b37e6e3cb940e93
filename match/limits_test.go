package match

import (
	"reflect"
	"testing"
)

// allSizes makes the next test also search boards that are too small for 5 ships and more,
// which takes some seconds.
var allSizes = false

// TestSmallestBoards checks that the table of smallest boards agrees with the search used for all
// other fleets, and that CustomRules obeys the table.
func TestSmallestBoards(t *testing.T) {
	for contact := TouchNone; contact <= TouchAny; contact++ {
		for n := MinShips; n <= MaxShips; n++ {
			size := smallestSize[contact][n-1]
			r := Rules{Name: "custom", Size: size, Fleet: standardShips(n), Contact: contact}
			if err := r.checkDensity(); err != nil {
				t.Errorf("%d ships, %v, on %d×%d: %v", n, contact, size, size, err)
			}
			if _, err := CustomRules(size, n, contact); err != nil {
				t.Errorf("custom: %v", err)
			}
			if size == MinSize {
				continue
			}
			r.Size--
			if _, err := CustomRules(r.Size, n, contact); err == nil {
				t.Errorf("%d ships, %v, on %d×%d are not refused", n, contact, r.Size, r.Size)
			}
			if (allSizes || n < 5) && r.checkDensity() == nil {
				t.Errorf("%d ships, %v, fit on %d×%d", n, contact, r.Size, r.Size)
			}
		}
	}
}

func TestBoardTooSmall(t *testing.T) {
	_, err := CustomRules(5, 10, TouchNone)
	if want := NewProblem("%d ships do not fit on %d×%d: choose a size from %d or fewer ships", 10, 5, 5, 10); !reflect.DeepEqual(err, want) {
		t.Errorf("got %v, want %v", err, want)
	}
}
