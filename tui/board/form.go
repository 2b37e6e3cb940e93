package board

import (
	"broadside/match"
	"broadside/tui/term"
)

// Form is how a board is drawn. Width and Height are the size of a cell in characters. The width is at least 2.
type Form struct {
	Width, Height int
	// Detail is what the terminal can show.
	Detail term.Detail
}

// The forms, largest first, for plain terminals.
var (
	Large  = Form{Width: 6, Height: 3}
	Medium = Form{Width: 4, Height: 2}
	Small  = Form{Width: 3, Height: 1}
	Tiny   = Form{Width: 2, Height: 1}
)

// WithDetail returns the form with a detail.
func (f Form) WithDetail(d term.Detail) Form {
	f.Detail = d
	return f
}

// pixelOffset returns the position of the first cell in pixels, which centres a cell's symbol. A character has 2
// by 4 pixels.
func (f Form) pixelOffset() (x, y int) {
	if f.Width%2 == 0 && f.Width > 2 {
		x = 1
	}
	if f.Height%2 == 0 {
		y = 2
	}
	return x, y
}

// symbolPosition returns the position of the first cell's symbol, in characters.
func (f Form) symbolPosition() (x, y int) {
	if f.Width == Tiny.Width {
		return 0, 0
	}
	return f.Width / 2, f.Height / 2
}

// markDistance returns the distance of the marks around a symbol from it.
func (f Form) markDistance() int {
	if f.Height > 2 {
		return 2
	}
	return 1
}

// LabelWidth is the width of a board's row labels.
const LabelWidth = 2

// headings is the number of lines above the cells.
const headings = 1

// OuterSize returns how many characters a window of columns and rows takes, with its headings.
func (f Form) OuterSize(columns, rows int) (width, height int) {
	x, y := f.pixelOffset()
	return LabelWidth + columns*f.Width + x, headings + rows*f.Height + y/2
}

// cellCapacity returns the number of columns and rows of cells that fit into a width and a height.
func (f Form) cellCapacity(width, height int) (columns, rows int) {
	w, h := f.OuterSize(0, 0)
	return max(0, (width-w)/f.Width), max(0, (height-h)/f.Height)
}

// Window is the part of a board to draw: its first cell and its size.
type Window struct {
	Left, Top     int
	Columns, Rows int
}

// WholeWindow returns a window of the whole board.
func WholeWindow(size int) Window { return Window{Columns: size, Rows: size} }

// ScrollTo returns the window moved by the minimum needed to show a cell and stay on a
// board of the given size.
func (w Window) ScrollTo(c match.Cell, size int) Window {
	w.Left = scrollAxis(w.Left, w.Columns, int(c.X), size)
	w.Top = scrollAxis(w.Top, w.Rows, int(c.Y), size)
	return w
}

func scrollAxis(first, n, at, size int) int {
	if at >= 0 {
		first = max(min(first, at), at-n+1)
	}
	return max(0, min(first, size-n))
}

// CellAt returns the cell at a position relative to the upper left corner. A character that shows two cells
// belongs to the one on the left, or above. CellAt returns false for positions outside all cells.
func (f Form) CellAt(w Window, x, y int) (match.Cell, bool) {
	dx, dy := f.pixelOffset()
	x, y = x-LabelWidth-dx, y-headings-dy/2
	if x == -1 && dx > 0 {
		x = 0
	}
	if y == -1 && dy > 0 {
		y = 0
	}
	if x < 0 || y < 0 || x/f.Width >= w.Columns || y/f.Height >= w.Rows {
		return Nowhere, false
	}
	return match.NewCell(w.Left+x/f.Width, w.Top+y/f.Height), true
}
