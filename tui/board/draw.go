package board

import (
	"strconv"
	"strings"
	"sync"

	"broadside/internal/term"
	"broadside/match"
)

// line is a line of text under construction. Neighboring characters with the same
// style share one style mark, which makes later processing cheaper.
type line struct {
	text []byte
	on   term.Style
}

func (l *line) put(style term.Style, text string) {
	if style != l.on {
		if l.on != term.Plain {
			l.text = append(l.text, term.StyleEnd...)
		}
		l.text = append(l.text, style.Mark()...)
		l.on = style
	}
	l.text = append(l.text, text...)
}

func (l *line) spaces(style term.Style, n int) {
	for ; n > len(blanks); n -= len(blanks) {
		l.put(style, blanks)
	}
	l.put(style, blanks[:n])
}

const blanks = "                "

// take returns the finished line and resets l. It returns before if that is equal.
func (l *line) take(before string) string {
	l.put(term.Plain, "")
	if string(l.text) != before {
		before = string(l.text)
	}
	l.text = l.text[:0]
	return before
}

// lines is a pool: only boards that are being drawn need a line.
var lines = sync.Pool{New: func() any { return new(line) }}

// newLine returns an empty line. The caller must return it to lines.
func newLine() *line {
	l := lines.Get().(*line)
	l.text, l.on = l.text[:0], term.Plain
	return l
}

// Draw draws the part of the board in a window, with headings, in lines of equal
// width. Marks at the edges show that the board continues.
func (b *Board) Draw(f Form, w Window) []string {
	l := newLine()
	defer lines.Put(l)
	d := drawing{b, f, w, l}
	_, height := f.Outer(w.Columns, w.Rows)
	out := make([]string, height)
	for i := range out {
		d.row(i)
		out[i] = d.take("")
	}
	return out
}

// DrawPair draws two boards of equal size side by side, each as Draw does, with a gap
// between them and a margin on the left. It reuses unchanged lines of before, the
// previous drawing, without allocating memory.
func DrawPair(b [2]*Board, f Form, w [2]Window, margin, gap int, before []string) []string {
	l := newLine()
	defer lines.Put(l)
	left, right := drawing{b[0], f, w[0], l}, drawing{b[1], f, w[1], l}
	_, height := f.Outer(w[0].Columns, w[0].Rows)
	out := make([]string, height)
	for i := range out {
		l.spaces(term.Plain, margin)
		left.row(i)
		l.spaces(term.Plain, gap)
		right.row(i)
		known := ""
		if i < len(before) {
			known = before[i]
		}
		out[i] = l.take(known)
	}
	return out
}

// row draws line i of the result of Draw.
func (d *drawing) row(i int) {
	first := 1 // index of the first line of cells or grid
	if d.Frame {
		first = 2
	}
	_, pitch := d.pitch()
	y := d.Top + (i-first)/pitch
	n := (i - first) % pitch
	switch {
	case i == 0:
		d.numbers()
	case i < first:
		d.rule("┌", "┐")
	case y == d.Top+d.Rows && d.Frame:
		d.rule("└", "┘")
	case d.Lines && n == 0:
		d.between(y)
	case d.Lines:
		d.cells(y, n-1)
	default:
		d.cells(y, n)
	}
}

// rule draws the top or bottom of a frame.
func (d *drawing) rule(left, right string) {
	d.put(term.Plain, "  ")
	d.put(term.Plain, left)
	for range d.Columns {
		d.put(term.Plain, lights[:d.Width*len("─")])
	}
	d.put(term.Plain, right)
}

// Bare draws the board in narrow cells, without headings.
func (b *Board) Bare() []string {
	l := newLine()
	defer lines.Put(l)
	d := drawing{b, Tiny, Whole(b.size), l}
	out := make([]string, b.size)
	for y := range out {
		for x := range b.size {
			d.cell(x, y, 0)
		}
		out[y] = d.take("")
	}
	return out
}

// BareWidth returns the width of the result of Bare.
func BareWidth(size int) int { return size * Tiny.Width }

// Sample draws a single cell as on a board of compact form.
func Sample(sign string, style term.Style) string { return style.Render(" " + sign + " ") }

// drawing is the state of drawing a board.
type drawing struct {
	*Board
	Form
	Window
	*line
}

// heading returns the style of a row or column heading.
func heading(here bool) term.Style {
	if here {
		return term.HeadingHere
	}
	return term.Heading
}

// numbers draws the column numbers.
func (d *drawing) numbers() {
	left, _ := d.origin()
	d.put(term.Plain, blanks[:left-1])
	d.put(term.Heading, more(d.Left > 0, "◂"))
	pitch, _ := d.pitch()
	beyond := d.Left+d.Columns < d.size
	for x := d.Left; x < d.Left+d.Columns; x++ {
		here := x == int(d.Aim.X)
		text := strconv.Itoa(x + 1)
		if d.Width == 2 {
			// Adjacent two-digit numbers do not fit.
			last := beyond && x == d.Left+d.Columns-1
			if len(text) > 1 && (x%2 == 0 || last) && !here {
				text = ""
			}
			d.put(heading(here), text)
			d.spaces(term.Plain, pitch-len(text))
			continue
		}
		before := d.Width/2 + 1 - len(text) // the last digit is above the symbol
		d.spaces(term.Plain, before)
		d.put(heading(here), text)
		d.spaces(term.Plain, pitch-before-len(text))
	}
	if d.Frame {
		d.put(term.Heading, more(beyond, "▸"))
		return
	}
	d.put(term.Plain, "")
	if last := len(d.text) - 1; beyond && d.text[last] == ' ' {
		d.text = d.text[:last]
		d.put(term.Heading, "▸")
	}
}

// more returns mark if the board continues, otherwise a space.
func more(is bool, mark string) string {
	if is {
		return mark
	}
	return " "
}

// label draws the label of a row.
func (d *drawing) label(y, row int) {
	if row != d.Height/2 {
		d.put(term.Plain, "  ")
		return
	}
	d.put(heading(y == int(d.Aim.Y)), string(rune('A'+y)))
	mark := " "
	switch {
	case y == d.Top && d.Top > 0:
		mark = "▲"
	case y == d.Top+d.Rows-1 && y < d.size-1:
		mark = "▼"
	}
	d.put(term.Heading, mark)
}

// cells draws one text line of a row of cells.
func (d *drawing) cells(y, row int) {
	d.label(y, row)
	if d.Frame {
		d.put(term.Plain, "│")
	}
	for x := d.Left; x < d.Left+d.Columns; x++ {
		if d.Lines {
			d.beside(x, y)
		}
		d.cell(x, y, row)
	}
	switch {
	case d.Lines:
		d.beside(d.Left+d.Columns, y)
	case d.Frame:
		d.put(term.Plain, "│")
	}
}

// cell draws one text line of a cell.
func (d *drawing) cell(x, y, row int) {
	c := d.at(x, y)
	at := match.At(x, y)
	style := c.style
	if at == d.Aim {
		style = term.Aim
	}
	if row != d.Height/2 {
		d.spaces(style, d.Width)
		return
	}
	l, sign, r := " ", string(c.sign), " "
	switch {
	case at == d.Aim:
		l, r = "[", "]"
	case d.marked(at):
		l, r = "‹", "›"
	case at == d.Hover:
		l, r = "(", ")"
	case c.ship > 0 && !d.Lines:
		l, r = d.rails(x, y, c.ship)
	}
	if d.Width == 2 {
		if d.marked(at) && at != d.Aim {
			r = "‹"
		}
		if c.bow > 0 && at != d.Aim {
			r = bowMarks[c.bow]
		}
		d.put(style, sign)
		d.put(style, r)
		return
	}
	if text, ok := d.texts[at]; ok {
		if at == d.Aim {
			style = c.style
		}
		margin := (d.Width - 3) / 2
		d.spaces(style, margin)
		d.put(style, text)
		d.spaces(style, d.Width-3-margin)
		return
	}
	switch {
	case c.bow == 0 || at == d.Aim:
	case c.bow == 1+int8(match.West): // the mark is to the left of the symbol
		l = bowMarks[c.bow]
	default:
		r = bowMarks[c.bow]
	}
	margin := (d.Width - 3) / 2
	d.spaces(style, margin)
	d.put(style, l)
	d.put(style, sign)
	d.put(style, r)
	d.spaces(style, margin)
}

// rails returns the parts of a hull on both sides of a cell's symbol, in forms without
// grid lines.
func (d *drawing) rails(x, y int, ship int8) (l, r string) {
	left, right := d.at(x-1, y).ship == ship, d.at(x+1, y).ship == ship
	up, down := d.at(x, y-1).ship == ship, d.at(x, y+1).ship == ship
	if d.Width == 2 {
		switch {
		case right:
			return "", "━"
		case down:
			return "", "┃"
		}
		return "", " "
	}
	switch {
	case left && right:
		return "━", "━"
	case right:
		return "┣", "━"
	case left:
		return "━", "┫"
	case up && down:
		return "┃", "┃"
	case down:
		return "┏", "┓"
	case up:
		return "┗", "┛"
	}
	return " ", " "
}

// edge returns the weight of the line between two cells.
func edge(a, b *cell) weight {
	switch {
	case a.ship == 0 && b.ship == 0:
		return light
	case a.ship == b.ship:
		return none
	}
	return heavy
}

// over returns the weight of the line above a cell. It is none outside the window.
func (d *drawing) over(x, y int) weight {
	if x < d.Left || x >= d.Left+d.Columns {
		return none
	}
	return edge(d.at(x, y-1), d.at(x, y))
}

func (d *drawing) left(x, y int) weight {
	if y < d.Top || y >= d.Top+d.Rows {
		return none
	}
	return edge(d.at(x-1, y), d.at(x, y))
}

// hull removes grid lines and keeps hull lines.
func hull(w weight) weight {
	if w == light {
		return none
	}
	return w
}

// outline returns the style of a hull line between cells.
func (d *drawing) outline(cells ...*cell) term.Style {
	for _, c := range cells {
		if c.ship > 0 && !c.sunk {
			return term.Hull
		}
	}
	return term.Wrecked
}

// beside draws the line to the left of a cell.
func (d *drawing) beside(x, y int) {
	a, b := d.at(x-1, y), d.at(x, y)
	switch d.left(x, y) {
	case light:
		d.put(d.lines, "│")
	case heavy:
		d.put(d.outline(a, b), "┃")
	default:
		d.put(inside(a), " ")
	}
}

// inside returns the style of the inside of a hull.
func inside(c *cell) term.Style {
	if c.sunk {
		return term.HullSunk
	}
	return term.Hull
}

// between draws the line above a row of cells.
func (d *drawing) between(y int) {
	d.put(term.Plain, "  ")
	for x := d.Left; x <= d.Left+d.Columns; x++ {
		up, right, down, left := d.left(x, y-1), d.over(x, y), d.left(x, y), d.over(x-1, y)
		nw, ne, sw, se := d.at(x-1, y-1), d.at(x, y-1), d.at(x-1, y), d.at(x, y)
		style := d.lines
		if max(up, right, down, left) == heavy {
			style = d.outline(nw, ne, sw, se)
			d.put(style, crossing(hull(up), hull(right), hull(down), hull(left)))
		} else {
			d.put(style, crossing(up, right, down, left))
		}
		if x == d.Left+d.Columns {
			break
		}
		switch right {
		case light:
			d.put(d.lines, lights[:d.Width*len("─")])
		case heavy:
			d.put(d.outline(ne, se), heavies[:d.Width*len("━")])
		default:
			d.spaces(inside(se), d.Width)
		}
	}
}

var (
	lights  = strings.Repeat("─", 16)
	heavies = strings.Repeat("━", 16)
)
