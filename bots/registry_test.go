package bots

import (
	"testing"

	"broadside/match"
)

// TestSketches checks that every bot that players can choose is described.
func TestSketches(t *testing.T) {
	for _, r := range []match.Rules{match.Classic(), match.Naval()} {
		for _, b := range Opponents(r) {
			if b.Sketch == "" || b.shots == 0 && !b.NeedsMoving {
				t.Errorf("%s is described as %+v", b.Name, b)
			}
		}
	}
}
