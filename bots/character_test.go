package bots

import (
	"testing"

	"broadside/match"
)

// TestCharacters checks that every bot that players can choose has a character.
func TestCharacters(t *testing.T) {
	for _, r := range []match.Rules{match.Classic(), match.Naval()} {
		for _, b := range Offered(r) {
			if c := b.Character(); c.Sketch == "" || c.shots == 0 && !b.Afloat {
				t.Errorf("%s has the character %+v", b.Name, c)
			}
		}
	}
}
