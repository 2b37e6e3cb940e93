package users

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"

	"broadside/tui/term"
)

// TestEmulator draws random frames, writes the output in pieces to an emulator and to a
// full one, and compares their screens.
func TestEmulator(t *testing.T) {
	scraps := []string{"a", "Your turn.", " ", "           ", "│", "‹X›", "ä", "\x1b[1;38;5;24mYOUR FLEET\x1b[m", "\x1b[7m X \x1b[m"}
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var sent bytes.Buffer
		w := term.NewWriter(&sent, Width, Height)
		var g emulator
		screen := vt.NewEmulator(Width, Height)
		lines := make([]string, Height)
		for n := range 30 {
			for range rng.IntN(5) {
				var b strings.Builder
				for range rng.IntN(30) {
					b.WriteString(scraps[rng.IntN(len(scraps))])
				}
				lines[rng.IntN(Height)] = b.String()
			}
			if rng.IntN(10) == 0 {
				w.Repaint()
			}
			if err := w.Draw(term.Frame{Lines: slices.Clone(lines), Title: scraps[rng.IntN(4)]}); err != nil {
				t.Fatal(err)
			}
			for sent.Len() > 0 {
				piece := sent.Next(1 + rng.IntN(60))
				g.Write(piece)
				screen.Write(piece)
			}
			if got, want := trimmed(g.String()), trimmed(screen.String()); got != want {
				t.Fatalf("seed %d, frame %d:\n%s\nwant\n%s", seed, n, got, want)
			}
			if !g.shows("Your turn.") && strings.Contains(screen.String(), "Your turn.") || g.shows("Your fleet") {
				t.Fatalf("seed %d, frame %d: a text is not found, or one that is not there", seed, n)
			}
		}
	}
}

// trimmed returns lines without trailing blanks.
func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.TrimRight(l, " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}
