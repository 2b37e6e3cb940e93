package term

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// TestWidthIsThatOfTerminals compares the fast width function with the exact one.
func TestWidthIsThatOfTerminals(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if isSingleWidth(r) {
			for _, s := range []string{string(r), string(r) + string(r), "a" + string(r) + "b"} {
				if got, want := Width(s), ansi.StringWidth(s); got != want {
					t.Errorf("%q is %d wide, want %d", s, got, want)
				}
			}
		}
	}
	scraps := []string{"a", " ", "é", "│", "━", "■", "‹", "漢", "🚢", "👩‍✈️", "🇩🇪", "e\u0301", "\u200d", "\ufe0f", "\t", "\n", "\x7f", "\x00",
		Struck.StartMark(), StyleEnd, "\x1b[1;38;5;7m", "\x1b[", "\x1b", "\x1b[2J", "\x1b]0;x\a", "\xff", "…", "→", "©", "\u00ad", "ẞ"}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		var b strings.Builder
		for range rng.IntN(8) {
			b.WriteString(scraps[rng.IntN(len(scraps))])
		}
		if got, want := Width(b.String()), ansi.StringWidth(b.String()); got != want {
			t.Fatalf("%q is %d wide, want %d", b.String(), got, want)
		}
	}
}
