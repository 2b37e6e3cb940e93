package board

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/term/colour"
)

// Draw draws the part of the board in a window, with headings, in lines of equal width. Marks at the edges show
// that the board continues.
func (b *Board) Draw(f Form, w Window) []string {
	d := newDrawing(b, f, w)
	_, height := f.OuterSize(w.Columns, w.Rows)
	out := make([]string, height)
	for i := range out {
		if i < headings {
			d.drawColumnNumbers()
		} else {
			d.drawRowLabel(i - headings)
			d.drawCellLine(i - headings)
		}
		out[i] = d.flush()
	}
	return out
}

// DrawBare draws the board in the smallest form with a detail, without headings.
func (b *Board) DrawBare(detail term.Detail) []string {
	d := newDrawing(b, Tiny.WithDetail(detail), WholeWindow(b.size))
	out := make([]string, b.size)
	for y := range out {
		d.drawCellLine(y)
		out[y] = d.flush()
	}
	return out
}

// PlainText returns the whole board as text without styles, in lines that end with newlines.
func (b *Board) PlainText() string {
	var text strings.Builder
	for _, line := range b.Draw(Small, WholeWindow(b.size)) {
		text.WriteString(strings.TrimRight(ansi.Strip(line), " ") + "\n")
	}
	return text.String()
}

// BareWidth returns the width of the lines of [Board.DrawBare].
func BareWidth(size int) int { return size * Tiny.Width }

// DrawSymbol draws a single cell as on a small board.
func DrawSymbol(sign string, style term.Style) string { return style.Render(" " + sign + " ") }

// drawing is the state of drawing a board.
type drawing struct {
	*Board
	Form
	Window
	line
	// appearances are those of all cells, row by row.
	appearances []appearance
}

func newDrawing(b *Board, f Form, w Window) *drawing {
	d := &drawing{Board: b, Form: f, Window: w, appearances: make([]appearance, len(b.cells))}
	for i := range d.appearances {
		d.appearances[i] = d.newAppearance(i%b.size, i/b.size)
	}
	return d
}

// rowAppearances returns the appearances of a row's cells.
func (d *drawing) rowAppearances(y int) []appearance { return d.appearances[y*d.size : (y+1)*d.size] }

// headingStyle returns the style of a row or column heading.
func headingStyle(highlighted bool) term.Style {
	if highlighted {
		return term.HeadingHere
	}
	return term.Heading
}

// drawColumnNumbers draws the column numbers.
func (d *drawing) drawColumnNumbers() {
	d.writeStyled(term.Plain, " ")
	d.writeStyled(term.Heading, markIf(d.Left > 0, "◂"))
	first, _ := d.symbolPosition()
	at, beyond := 0, d.Left+d.Columns < d.size
	for x := d.Left; x < d.Left+d.Columns; x++ {
		here := x == int(d.Aim.X)
		text := strconv.Itoa(x + 1)
		if !d.hasRoomForNumber(x, beyond) {
			continue
		}
		to := first + (x-d.Left)*d.Width
		if d.Width > Tiny.Width {
			// The last digit is above the symbol.
			to -= len(text) - 1
		}
		d.writeSpaces(to - at)
		d.writeStyled(headingStyle(here), text)
		at = to + len(text)
	}
	width, _ := d.OuterSize(d.Columns, d.Rows)
	d.writeSpaces(width - LabelWidth - at - 1)
	if width-LabelWidth > at {
		d.writeStyled(term.Heading, markIf(beyond, "▸"))
	}
}

// hasRoomForNumber reports whether there is room for a column number. In the smallest form,
// adjacent numbers of two digits would run into each other.
func (d *drawing) hasRoomForNumber(x int, beyond bool) bool {
	last := d.Left + d.Columns - 1
	here := int(d.Aim.X)
	switch {
	case d.Width > Tiny.Width:
		return !beyond || x < last || d.Width > 3 || x < 9
	case x < 9:
		return !beyond || x < last
	case beyond && x == last:
		return false
	}
	return x == here || x%2 == 1 && x+1 != here && x-1 != here
}

// markIf returns mark if it is shown, otherwise a space.
func markIf(shown bool, mark string) string {
	if shown {
		return mark
	}
	return " "
}

// drawRowLabel draws the label to the left of a line of cells.
func (d *drawing) drawRowLabel(line int) {
	_, first := d.symbolPosition()
	if line < first || (line-first)%d.Height != 0 || (line-first)/d.Height >= d.Rows {
		d.writeStyled(term.Plain, "  ")
		return
	}
	y := d.Top + (line-first)/d.Height
	d.writeStyled(headingStyle(y == int(d.Aim.Y)), rowNames[y:y+1])
	mark := " "
	switch {
	case y == d.Top && d.Top > 0:
		mark = "▲"
	case y == d.Top+d.Rows-1 && y < d.size-1:
		mark = "▼"
	}
	d.writeStyled(term.Heading, mark)
}

const rowNames = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

// drawCellLine draws a line of cells.
func (d *drawing) drawCellLine(line int) {
	if d.Detail < term.Shapes {
		d.drawPlainLine(line)
		return
	}
	dx, dy := d.pixelOffset()
	if dx > 0 && d.texts != nil {
		// Numbers need whole columns.
		dx = 2
	}
	firstX, firstY := d.symbolPosition()
	width := (dx+1)/2 + d.Columns*d.Width
	signs := line >= firstY && (line-firstY)%d.Height == 0
	var rows [4]pixelRow
	for n := range rows {
		rows[n] = d.newPixelRow(4*line+n-dy, line, signs)
	}
	for column := range width {
		if signs && d.drawSign(column-firstX, (line-firstY)/d.Height) {
			continue
		}
		var p pixels
		for n := range 2 {
			x := 2*column + n - dx
			cell, inside := x/(2*d.Width), x%(2*d.Width)
			for k := range rows {
				c := colour.Ground
				r := &rows[k]
				if r.appearances != nil && x >= 0 && cell < d.Columns {
					l := &r.appearances[d.Left+cell]
					c = l.pixelColour(d.Form, inside, r.y, r.tones[column])
				}
				p[2*k+n] = c
			}
		}
		char, text, ground := p.bestChar()
		d.writeWithPen(term.Pen{Text: text, Ground: ground}, char)
	}
}

// newPixelRow is one of the four pixel rows in a line of text. y is its position in its cells. Outside the board,
// appearances is nil.
type pixelRow struct {
	appearances []appearance
	y           int
	tones       *[swellColumns]colour.Name
}

// newPixelRow returns row y of the board's pixels, which is in the given line. The water in a line with signs has
// one tone.
func (d *drawing) newPixelRow(y, line int, signs bool) (r pixelRow) {
	if y < 0 || y >= 4*d.Height*d.Rows {
		return r
	}
	half := 2 * line
	if !signs && y%4 >= 2 == (d.Height%2 != 0) {
		half++
	}
	cellY := d.Top + y/(4*d.Height)
	return pixelRow{d.rowAppearances(cellY), y % (4 * d.Height), &swellTones()[half]}
}

// drawSign draws a character of a line with signs that is not part of a picture. Column is
// relative to the sign of the first cell. sign returns false if there is no such character.
func (d *drawing) drawSign(column, row int) bool {
	reach := d.markDistance()
	// before is the number of columns of a cell before its sign.
	before := reach
	if d.Width == Tiny.Width {
		before = 0
	}
	cell := (column + before) / d.Width
	if column+before < 0 || cell >= d.Columns || row >= d.Rows {
		return false
	}
	x, y := d.Left+cell, d.Top+row
	l := &d.rowAppearances(y)[x]
	// from is relative to the sign's column.
	from := column - cell*d.Width
	pen := term.Pen{Text: l.text, Ground: d.signBackground(l, cell, row), Bold: l.bold}
	if text, ok := d.texts[match.NewCell(x, y)]; ok && (from >= -1 && from <= 1) {
		d.writeRune(pen, []rune(text)[from+1])
		return true
	}
	switch {
	case from == 0:
		d.writeRune(pen, l.sign)
	case from == -reach && l.leftMark != 0:
		d.writeRune(pen, l.leftMark)
	case from == reach && l.rightMark != 0:
		d.writeRune(pen, l.rightMark)
	case l.hull != colour.None && l.part.Bow && d.Height == 1 && !l.isWholeTile && from == d.bowMarkOffset(l):
		water := *l
		water.hull, water.tile = colour.None, colour.None
		d.writeWithPen(term.Pen{Text: l.hull, Ground: d.signBackground(&water, cell, row)}, bowMarks[l.part.Heading])
	default:
		return false
	}
	return true
}

// bowMarks are the marks of bows beside their signs, by heading.
var bowMarks = [...]string{match.North: "▲", match.East: "▸", match.South: "▼", match.West: "◂"}

// bowMarkOffset returns the column of a bow's mark relative to the sign. Without a mark, it is outside the cell.
func (d *drawing) bowMarkOffset(l *appearance) int {
	switch {
	case l.part.Heading == match.East:
		return 1
	case l.part.Heading == match.West && d.Width > Tiny.Width:
		return -1
	}
	return d.Width
}

// signBackground returns the background colour of a cell's sign.
func (d *drawing) signBackground(l *appearance, cell, row int) colour.Name {
	if l.tile != colour.None {
		return l.tile
	}
	firstX, firstY := d.symbolPosition()
	return l.pixelColour(d.Form, d.Width, 2*d.Height, swellTones()[2*(firstY+row*d.Height)][firstX+cell*d.Width])
}

// drawPlainLine draws a line of cells without pixels.
func (d *drawing) drawPlainLine(line int) {
	dx, dy := d.pixelOffset()
	dx, dy = (dx+1)/2, dy/2
	d.writeSpaces(dx)
	firstX, firstY := d.symbolPosition()
	line -= dy
	row, signs := line/d.Height, (line-firstY+dy)%d.Height == 0
	for column := range d.Columns * d.Width {
		if line < 0 || row >= d.Rows {
			d.writeSpaces(1)
			continue
		}
		x, y := d.Left+column/d.Width, d.Top+row
		l := &d.rowAppearances(y)[x]
		pen := term.Pen{Text: l.text, Ground: l.waterBase, Bold: l.bold}
		for _, over := range [...]colour.Name{l.hull, l.tile} {
			if over != colour.None {
				pen.Ground = over
			}
		}
		d.writeRune(pen, d.plainChar(l, match.NewCell(x, y), column%d.Width-firstX+dx, signs))
	}
}

// plainChar returns a cell's character in the column from, which is relative to the sign.
func (d *drawing) plainChar(l *appearance, at match.Cell, from int, signs bool) rune {
	reach := d.markDistance()
	text, written := d.texts[at]
	switch {
	case !signs:
	case written && from >= -1 && from <= 1:
		return []rune(text)[from+1]
	case from == 0:
		return l.sign
	case from == -reach && l.leftMark != 0:
		return l.leftMark
	case from == reach && l.rightMark != 0:
		return l.rightMark
	}
	if d.Detail == term.Letters && l.hull != colour.None {
		return l.part.railChar(from, reach, signs)
	}
	return ' '
}
