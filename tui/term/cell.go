package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// cell is one column of a line. Its text is one grapheme. The right half of a wide character has no text.
type cell struct {
	text  string
	width int
	look  look
}

func (c cell) looksLike(as cell) bool { return c.text == as.text && c.looksSameIn(as.look) }

// looksSameIn reports whether a cell would look the same in look l. A space has no visible text colour.
func (c cell) looksSameIn(l look) bool {
	return c.look == l || c.text == " " && c.look.ground == l.ground && c.look.reverse == l.reverse
}

// hasUncertainWidth reports whether terminals may disagree on a cell's width, because it is wide or
// has several characters. Boards contain no such cells.
func (c cell) hasUncertainWidth() bool {
	_, n := utf8.DecodeRuneInString(c.text)
	return c.width != 1 || n < len(c.text)
}

// parseLine appends a line's cells, at most width, to cells. It leaves out control characters and control
// sequences other than marks. uncertain reports that some of the cells have an uncertain width.
func (p *Palette) parseLine(cells []cell, line string, width int) (_ []cell, uncertain bool) {
	line = p.transliterate(line)
	surface := Ground
	now := p.look(Pen{}.inherit(surface))
	for line != "" && len(cells) < width {
		if line[0] == '\x1b' {
			var n int
			now, surface, n = p.readMark(line, now, surface)
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
		uncertain = uncertain || !simple && c.hasUncertainWidth()
		for range columns - 1 {
			cells = append(cells, cell{look: now})
		}
	}
	return cells, uncertain
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

// contentLength returns the number of cells without blank cells at the end.
func contentLength(cells []cell, blank cell) int {
	n := len(cells)
	for n > 0 && cells[n-1].looksLike(blank) {
		n--
	}
	return n
}

// removeControls removes control characters and invalid bytes.
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
