package tui

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"broadside/internal/term/look"
)

// clean makes text from elsewhere fit for a screen: no control or format
// characters, no combining marks, and at most width cells wide.
func clean(s string, width int) string {
	if len(s) <= width && plain(s) {
		return s
	}
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) {
			return -1
		}
		return r
	}, s)
	return ansi.Truncate(s, width, "…")
}

// plain tells whether a text is of printable ASCII only, as most names are.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// Clean is text from elsewhere in one line of at most width cells, fit for a
// terminal.
func Clean(s string, width int) string { return clean(s, width) }

// nameWidth is the most that a name takes on the screen.
const nameWidth = 20

// textWide is the number of cells that a line takes.
func textWide(s string) int { return look.Width(s) }

// fitting is the first of some texts that has room on a line of the screen, the
// last one if none has.
func (m *Model) fitting(texts ...string) string {
	for _, t := range texts[:len(texts)-1] {
		if textWide(t) <= m.width {
			return t
		}
	}
	return texts[len(texts)-1]
}

// fold makes lines fit into a width that are too wide: the gaps between their
// columns are closed, and what is still too long goes on below. Lines that fit
// stay as they are.
func fold(lines []string, width int) []string {
	if widest(lines) <= width {
		return lines
	}
	var folded []string
	for _, l := range lines {
		if textWide(l) > width {
			l = strings.TrimRight(l, " ")
		}
		if textWide(l) > width {
			l = closer(l)
		}
		if textWide(l) <= width {
			folded = append(folded, l)
			continue
		}
		bare := ansi.Strip(l)
		inset := min(width/2, len(bare)-len(strings.TrimLeft(bare, " "))) + 2
		for i, part := range styledParts(l, width-inset) {
			if i > 0 {
				part = strings.Repeat(" ", inset) + part
			}
			folded = append(folded, part)
		}
	}
	return folded
}

// closer is a line whose gaps are of two spaces at most, but for the one at its
// beginning.
func closer(l string) string {
	text := strings.TrimLeft(l, " ")
	inset := l[:len(l)-len(text)]
	for strings.Contains(text, "   ") {
		text = strings.ReplaceAll(text, "   ", "  ")
	}
	return inset + text
}

// styledParts breaks a line into lines of at most width. What is written with an
// ink that goes on is ended and begun again.
func styledParts(l string, width int) []string {
	parts := strings.Split(ansi.Wrap(l, width, " "), "\n")
	ink := ""
	for i, part := range parts {
		part = ink + strings.TrimLeft(part, " ")
		if i == 0 {
			part = parts[0]
		}
		if at := strings.LastIndex(part, "\x1b["); at >= 0 {
			ink = part[at : at+strings.IndexByte(part[at:], 'm')+1]
			if ink == look.End {
				ink = ""
			} else {
				part += look.End
			}
		}
		parts[i] = part
	}
	return parts
}

// middle is lines in the middle of the screen, or of a block of 60 cells if that
// is narrower.
func (m *Model) middle(lines ...string) []string {
	width := min(60, m.width)
	var centre []string
	for _, l := range lines {
		for _, part := range styledParts(l, width) {
			centre = append(centre, centred(part, width))
		}
	}
	return centre
}
