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

// painter writes the changes of one frame.
type painter struct {
	b       *bytes.Buffer
	profile colorprofile.Profile
	ground  *sequence // of blank cells
	blank   uv.Cell   // the same, as a cell
	x, y    int       // of the terminal's cursor; y is -1 if it is unknown

	pen
}

// pen is the current style of a terminal.
type pen struct {
	style   uv.Style
	seq     *sequence // that sets the style; nil: unknown
	swapped bool      // the colours are exchanged and reversed, which took fewer bytes
}

// maxGap is the maximum number of unchanged cells between changed ones that are written
// again, because moving the cursor takes more bytes.
const maxGap = 5

// styledLine is a line of a view and the palette for its styles. The palette is nil if the
// line has none.
type styledLine struct {
	text    string
	palette *Palette
}

// painted returns the line with the control sequences for the terminal.
func (d styledLine) painted() string {
	if d.palette == nil {
		return d.text
	}
	return d.palette.Paint(d.text)
}

// line updates line y of the terminal.
func (p *painter) line(y, width int, before, after styledLine) {
	if p.simple(y, width, before, after) {
		return
	}
	r := rowPairs.Get().(*rowPair)
	defer rowPairs.Put(r)
	r.before.parse(before.painted(), width, &p.blank)
	r.after.parse(after.painted(), width, &p.blank)
	old, new := r.before.cells, r.after.cells
	if r.before.odd || r.after.odd {
		// Terminals disagree on the width of such characters, so the columns of this
		// line are unknown.
		p.move(0, y)
		p.erase(ansi.EraseLineRight)
		p.span(0, y, new[:filled(new, &p.blank)])
		return
	}
	end := filled(new, &p.blank)
	p.spans(y, end, filled(old, &p.blank), func(x int) bool { return old[x].Equal(&new[x]) },
		func(int, int) bool { return true }, func(from, to int) { p.span(from, y, new[from:to]) })
}

// spans calls write for the parts of line y that have changed, up to column end, and
// erases the rest of a line that had oldEnd columns. It also writes short gaps between such
// parts if plain reports that this does not change the style.
func (p *painter) spans(y, end, oldEnd int, same func(x int) bool, plain func(from, to int) bool, write func(from, to int)) {
	from, to := -1, -1 // the span to be written
	for x := range end {
		if same(x) {
			continue
		}
		if from >= 0 && (x-to > maxGap || !plain(to, x)) {
			write(from, to)
			from = -1
		}
		if from < 0 {
			from = x
		}
		to = x + 1
	}
	if from >= 0 {
		write(from, to)
	}
	if oldEnd > end {
		if to != end || from < 0 { // otherwise the cursor is already there
			p.move(end, y)
		}
		p.erase(ansi.EraseLineRight)
	}
}

// erase writes a control sequence that erases cells. Terminals give them the current
// background.
func (p *painter) erase(seq string) {
	if p.setSequence(p.ground); p.swapped {
		now := swap(p.style)
		p.b.WriteString(uv.StyleDiff(&now, &p.style))
		p.swapped = false
	}
	p.b.WriteString(seq)
}

// span writes cells, beginning at column x of line y.
func (p *painter) span(x, y int, cells uv.Line) {
	p.move(x, y)
	for i := range cells {
		c := &cells[i]
		if c.Width == 0 && c.Content == "" {
			continue // the right half of a wide character
		}
		p.setStyle(&c.Style)
		p.b.WriteString(c.Content)
		if p.x++; odd(c) {
			p.y = -1
			p.move(x+i+c.Width, y)
		}
	}
}

// move moves the cursor.
func (p *painter) move(x, y int) {
	switch {
	case y == p.y && x == p.x:
	case y == p.y && x > p.x:
		p.b.WriteString(ansi.CursorForward(x - p.x))
	default:
		p.b.WriteString(ansi.CursorPosition(x+1, y+1))
	}
	p.x, p.y = x, y
}

// setStyle changes the style of the terminal.
func (p *painter) setStyle(s *uv.Style) {
	p.seq = nil
	want := uv.ConvertStyle(*s, p.profile)
	p.change(want, want.String())
}

// change changes the terminal's style to want. After a reset, the sequence anew sets this style.
func (p *painter) change(want uv.Style, anew string) {
	if want.Equal(&p.style) {
		return
	}
	now := p.style
	if p.swapped {
		now = swap(now)
	}
	change := uv.StyleDiff(&now, &want)
	if !want.IsZero() && len(ansi.ResetStyle)+len(anew) < len(change) {
		change = ansi.ResetStyle + anew
	}
	p.style, p.swapped = want, false
	helps := now.Fg == want.Bg || now.Bg == want.Fg || now.Attrs&uv.AttrReverse != 0
	if helps && p.profile >= colorprofile.ANSI256 && want.Fg != nil && want.Bg != nil && want.Attrs&uv.AttrReverse == 0 {
		want = swap(want)
		if swapped := uv.StyleDiff(&now, &want); len(swapped) < len(change) {
			change, p.swapped = swapped, true
		}
	}
	p.b.WriteString(change)
}

// swap returns a style that looks the same, with exchanged colours and the other value of
// reverse.
func swap(s uv.Style) uv.Style {
	s.Fg, s.Bg, s.Attrs = s.Bg, s.Fg, s.Attrs^uv.AttrReverse
	return s
}

// row holds the cells of one line. It is the screen on which ultraviolet draws the line.
type row struct {
	cells uv.Line
	odd   bool // terminals may disagree on the width of its characters
}

// rowPair holds two lines to compare. Pairs are pooled, because cells are large and only a
// few writers are active at a time.
type rowPair struct{ before, after row }

var rowPairs = sync.Pool{New: func() any { return new(rowPair) }}

// parse converts a line to cells. Cells after its end are blank.
func (r *row) parse(line string, width int, blank *uv.Cell) {
	if cap(r.cells) < width {
		r.cells = uv.NewLine(width)
	}
	r.cells, r.odd = r.cells[:width], false
	uv.NewStyledString(line).Draw(r, r.Bounds())
	wideUntil := 0
	for i := range r.cells {
		c := &r.cells[i]
		if c.Content == " " { // most cells
			if c.Link = (uv.Link{}); c.Equal(&uv.EmptyCell) {
				*c = *blank
			}
			continue
		}
		c.Link, c.Content = uv.Link{}, printable(c.Content)
		switch {
		case c.Content == "" && i >= wideUntil:
			*c = *blank
		case odd(c):
			r.odd, wideUntil = true, i+c.Width
		}
	}
}

// odd reports whether terminals may disagree on the width of a cell, because it is wide or
// has several characters. Boards contain no such cells.
func odd(c *uv.Cell) bool {
	_, n := utf8.DecodeRuneInString(c.Content)
	return c.Width > 1 || n < len(c.Content)
}

// filled returns the number of cells up to the last that is not blank.
func filled(cells uv.Line, blank *uv.Cell) int {
	n := len(cells)
	for n > 0 && cells[n-1].Equal(blank) {
		n--
	}
	return n
}

// printable returns a text as valid UTF-8 without control characters.
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
