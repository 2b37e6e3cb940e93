package text

import (
	"testing"

	"broadside/internal/i18n"
)

// TestWordsHaveShapes checks that all letters of the large words can be drawn.
func TestWordsHaveShapes(t *testing.T) {
	for _, l := range i18n.Languages() {
		for _, word := range []string{productName, l.Text("VICTORY"), l.Text("DEFEAT")} {
			for _, r := range word {
				if _, ok := letters[r]; !ok {
					t.Errorf("%s: %q has %q, which has no shape", l, word, r)
				}
			}
		}
	}
}
