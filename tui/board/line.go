package board

import (
	"unicode/utf8"

	"broadside/tui/term"
	"broadside/tui/term/colour"
	"broadside/tui/text"
)

// line is a line of text under construction. Neighbouring characters with the same
// appearance share one mark, which makes later processing cheaper.
type line struct {
	text []byte
	// style is that of the last character. If the character was written with a pen, pen has its colours.
	style term.Style
	pen   term.Pen
}

// writeStyled appends text in a style.
func (l *line) writeStyled(style term.Style, text string) {
	if style != l.style || l.pen != (term.Pen{}) {
		l.endStyle()
		l.text = append(l.text, style.StartMark()...)
		l.style = style
	}
	l.text = append(l.text, text...)
}

// writeWithPen appends a character with a pen. A space shows only the background.
func (l *line) writeWithPen(pen term.Pen, char string) {
	sameGround := l.pen.Ground == pen.Ground && pen.Ground != colour.None
	if l.style != term.Plain || pen != l.pen && !(char == " " && sameGround) {
		l.endStyle()
		l.text = pen.AppendMark(l.text)
		l.pen = pen
	}
	l.text = append(l.text, char...)
}

// writeRune is writeWithPen for a rune.
func (l *line) writeRune(pen term.Pen, r rune) {
	var b [utf8.UTFMax]byte
	l.writeWithPen(pen, string(utf8.AppendRune(b[:0], r)))
}

// endStyle ends the current appearance.
func (l *line) endStyle() {
	if l.style != term.Plain || l.pen != (term.Pen{}) {
		l.text = append(l.text, term.StyleEnd...)
	}
	l.style, l.pen = term.Plain, term.Pen{}
}

func (l *line) writeSpaces(n int) { l.writeStyled(term.Plain, text.Spaces(n)) }

// flush returns the finished line and resets l.
func (l *line) flush() string {
	l.endStyle()
	taken := string(l.text)
	l.text = l.text[:0]
	return taken
}
