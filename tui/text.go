package tui

import (
	"strings"
	"unicode"

	"broadside/tui/look"
	"github.com/charmbracelet/x/ansi"
)

// clean makes text from elsewhere fit for a screen: no control or format
// characters, no combining marks, and at most width cells wide.
func clean(s string, width int) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
			return -1
		}
		return r
	}, s)
	return ansi.Truncate(s, width, "…")
}

// Clean is text from elsewhere in one line of at most width cells, fit for a
// terminal.
func Clean(s string, width int) string { return clean(s, width) }

// nameWidth is the most that a name takes on the screen.
const nameWidth = 20

// textWide is the number of cells that a line takes.
func textWide(s string) int { return look.Width(s) }
