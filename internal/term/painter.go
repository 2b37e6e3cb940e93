package term

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// painter writes parts of one frame.
type painter struct {
	b       *bytes.Buffer
	profile colorprofile.Profile
	pen     uv.Style // that the terminal writes with

	seq      string // the sequences that made the pen
	seqKnown bool   // they did
}

// maxGap is how many unchanged cells are rather written again than passed over:
// moving the cursor takes more bytes than they do.
const maxGap = 6

// dressed is a line with styles, and how they look; nil if it has none.
type styledLine struct {
	text    string
	palette *Palette
}

// painted is the line as the terminal is to get it.
func (d styledLine) painted() string {
	if d.palette == nil {
		return d.text
	}
	return d.palette.Paint(d.text)
}

// line brings line y of the terminal from one content to another.
func (p *painter) line(y, width int, before, after styledLine) {
	if p.simple(y, width, before, after) {
		return
	}
	r := rowPairs.Get().(*rowPair)
	defer rowPairs.Put(r)
	r.before.parse(before.painted(), width)
	r.after.parse(after.painted(), width)
	old, new := r.before.cells, r.after.cells
	if r.before.odd || r.after.odd {
		// Terminals differ in how wide they think such characters are, so
		// nothing on this line is where it should be.
		p.move(0, y)
		p.setStyle(nil)
		p.b.WriteString(ansi.EraseLineRight)
		p.span(0, y, new[:filled(new)])
		return
	}
	end := filled(new)
	from, to := -1, -1 // the span to be written
	for x := range end {
		if old[x].Equal(&new[x]) {
			continue
		}
		if from >= 0 && x-to > maxGap {
			p.span(from, y, new[from:to])
			from = -1
		}
		if from < 0 {
			from = x
		}
		to = x + 1
	}
	if from >= 0 {
		p.span(from, y, new[from:to])
	}
	if filled(old) > end {
		if to != end || from < 0 { // else the cursor is there
			p.move(end, y)
		}
		p.setStyle(nil)
		p.b.WriteString(ansi.EraseLineRight)
	}
}

// span writes cells from column x of line y on.
func (p *painter) span(x, y int, cells uv.Line) {
	p.move(x, y)
	for i := range cells {
		c := &cells[i]
		if c.Width == 0 && c.Content == "" {
			continue // the right half of a wide character
		}
		p.setStyle(&c.Style)
		p.b.WriteString(c.Content)
		if odd(c) {
			p.move(x+i+c.Width, y)
		}
	}
}

func (p *painter) move(x, y int) { p.b.WriteString(ansi.CursorPosition(x+1, y+1)) }

// wear changes the pen; nil is no style at all.
func (p *painter) setStyle(s *uv.Style) {
	p.seq, p.seqKnown = "", s == nil
	var want uv.Style
	if s != nil {
		want = uv.ConvertStyle(*s, p.profile)
	}
	if want.Equal(&p.pen) {
		return
	}
	change := uv.StyleDiff(&p.pen, &want)
	if anew := want.String(); !want.IsZero() && len(ansi.ResetStyle)+len(anew) < len(change) {
		change = ansi.ResetStyle + anew
	}
	p.b.WriteString(change)
	p.pen = want
}

// row is one line in cells. It is the screen that content is drawn on.
type row struct {
	cells uv.Line
	odd   bool // it has characters that terminals may take for wider or narrower
}

// rowPair is what it takes to compare two lines. Pairs are shared, for cells
// are large, and only the writers that are at work need some.
type rowPair struct{ before, after row }

var rowPairs = sync.Pool{New: func() any { return new(rowPair) }}

// parse makes the cells of a line.
func (r *row) parse(line string, width int) {
	if cap(r.cells) < width {
		r.cells = uv.NewLine(width)
	}
	r.cells, r.odd = r.cells[:width], false
	uv.NewStyledString(line).Draw(r, r.Bounds())
	wideUntil := 0
	for i := range r.cells {
		c := &r.cells[i]
		if c.Content == " " { // as most are
			c.Link = uv.Link{}
			continue
		}
		c.Link, c.Content = uv.Link{}, printable(c.Content)
		switch {
		case c.Content == "" && i >= wideUntil:
			*c = uv.EmptyCell
		case odd(c):
			r.odd, wideUntil = true, i+c.Width
		}
	}
}

// odd tells whether terminals may disagree on the width of a cell: it is wide,
// or of several characters. The symbols we draw with are neither.
func odd(c *uv.Cell) bool {
	_, n := utf8.DecodeRuneInString(c.Content)
	return c.Width > 1 || n < len(c.Content)
}

// filled is the number of cells up to the last that is not blank.
func filled(cells uv.Line) int {
	n := len(cells)
	for n > 0 && cells[n-1].Equal(&uv.EmptyCell) {
		n--
	}
	return n
}

// printable is a text without control characters, in valid UTF-8.
func printable(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
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

// Bounds implements [uv.Screen].
func (r *row) Bounds() uv.Rectangle { return uv.Rect(0, 0, len(r.cells), 1) }

// CellAt implements [uv.Screen].
func (r *row) CellAt(x, _ int) *uv.Cell { return r.cells.At(x) }

// SetCell implements [uv.Screen].
func (r *row) SetCell(x, _ int, c *uv.Cell) { r.cells.Set(x, c) }

// WidthMethod implements [uv.Screen].
func (r *row) WidthMethod() uv.WidthMethod { return ansi.GraphemeWidth }
