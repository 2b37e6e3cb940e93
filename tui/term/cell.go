package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// cell is a column of a terminal. The right half of a wide character has no text.
type cell struct {
	// text is one grapheme.
	text  string
	width int
	look  look
}

// looksLike reports whether two cells look the same.
func (c cell) looksLike(as cell) bool { return c.text == as.text && c.looksSameIn(as.look) }

// looksSameIn reports whether a cell looks the same in another look. The colour of the text of a space
// does not matter.
func (c cell) looksSameIn(l look) bool {
	return c.look == l || c.text == " " && c.look.ground == l.ground && c.look.reverse == l.reverse
}

// hasUncertainWidth reports whether terminals may disagree on the width of a cell, because it is wide or
// has several characters. Boards contain no such cells.
func (c cell) hasUncertainWidth() bool {
	_, n := utf8.DecodeRuneInString(c.text)
	return c.width != 1 || n < len(c.text)
}

// parseLine appends the cells of a line, at most width, to cells. Control characters and control sequences
// other than marks are left out. odd reports that some of the cells are odd.
func (l *Palette) parseLine(cells []cell, line string, width int) (_ []cell, odd bool) {
	line = l.transliterate(line)
	surface := Ground
	now := l.look(Pen{}.inherit(surface))
	for line != "" && len(cells) < width {
		if line[0] == '\x1b' {
			var n int
			now, surface, n = l.readMark(line, now, surface)
			if n == 0 {
				_, _, n, _ = ansi.DecodeSequence(line, ansi.NormalState, nil)
			}
			line = line[n:]
			continue
		}
		text, columns, simple := firstGrapheme(line)
		line = line[len(text):]
		if !simple {
			text = removeControls(text)
			if text == "" || columns == 0 || len(cells)+columns > width {
				continue
			}
		}
		c := cell{text, columns, now}
		cells = append(cells, c)
		odd = odd || !simple && c.hasUncertainWidth()
		for range columns - 1 {
			cells = append(cells, cell{look: now})
		}
	}
	return cells, odd
}

// firstGrapheme returns the first grapheme of a text and its width in columns. It is simple if it is a
// printable character that is one column wide on every terminal.
func firstGrapheme(s string) (text string, width int, simple bool) {
	n, ok := simpleLength(s)
	if ok {
		_, ok = simpleLength(s[n:])
	}
	if ok {
		return s[:n], 1, true
	}
	text, width = ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return text, width, false
}

// simpleLength returns the length of the first character of a text, which may be empty. ok reports
// that it is simple or ends a grapheme.
func simpleLength(s string) (n int, ok bool) {
	if s == "" || s[0] < utf8.RuneSelf {
		return min(1, len(s)), s == "" || s[0] == '\x1b' || s[0] >= ' ' && s[0] != 0x7f
	}
	r, n := utf8.DecodeRuneInString(s)
	return n, isSingleWidth(r)
}

// contentLength returns the number of cells up to the last that is not blank.
func contentLength(cells []cell, blank cell) int {
	n := len(cells)
	for n > 0 && cells[n-1].looksLike(blank) {
		n--
	}
	return n
}

// removeControls returns a text without control characters and invalid bytes.
func removeControls(s string) string {
	s = strings.ToValidUTF8(s, "")
	if strings.IndexFunc(s, unicode.IsControl) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, s)
}
