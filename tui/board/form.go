package board

import (
	"broadside/match"
)

// Form is the form in which a board is drawn.
type Form struct {
	Width, Height int  // inside of a cell, in characters; the width is at least 2
	Lines         bool // draw grid lines between and around the cells
	Frame         bool // draw a frame around the board; implied by Lines
}

// The forms, largest first.
var (
	Huge    = Form{Width: 7, Height: 3, Lines: true}
	Wide    = Form{Width: 5, Height: 1, Lines: true}
	Grid    = Form{Width: 3, Height: 1, Lines: true}
	Compact = Form{Width: 3, Height: 1, Frame: true}
	Tight   = Form{Width: 3, Height: 1}
	Narrow  = Form{Width: 2, Height: 1, Frame: true}
	Tiny    = Form{Width: 2, Height: 1}
)

// pitch returns the distance between adjacent cells.
func (f Form) pitch() (x, y int) {
	if f.Lines {
		return f.Width + 1, f.Height + 1
	}
	return f.Width, f.Height
}

// labels is the width of the row labels, including the space after them.
const labels = 2

// origin returns the position of the inside of the first cell, relative to the upper
// left corner.
func (f Form) origin() (x, y int) {
	if f.Lines || f.Frame {
		return labels + 1, 2
	}
	return labels, 1
}

// Outer returns the size of a drawn window of columns and rows, including headings.
func (f Form) Outer(columns, rows int) (width, height int) {
	x, y := f.pitch()
	left, top := f.origin()
	width, height = left+columns*x, top+rows*y
	if f.Frame {
		width, height = width+1, height+1
	}
	return width, height
}

// Rooms returns the number of columns and rows that fit into a width and a height.
func (f Form) Rooms(width, height int) (columns, rows int) {
	w, h := f.Outer(0, 0)
	x, y := f.pitch()
	return max(0, (width-w)/x), max(0, (height-h)/y)
}

// Window is the part of a board to draw: its first cell and its size.
type Window struct {
	Left, Top     int
	Columns, Rows int
}

// Whole returns a window of the whole board.
func Whole(size int) Window { return Window{Columns: size, Rows: size} }

// Follow returns the window moved by the minimum needed to show a cell and stay on a
// board of the given size.
func (w Window) Follow(c match.Cell, size int) Window {
	w.Left = follow(w.Left, w.Columns, int(c.X), size)
	w.Top = follow(w.Top, w.Rows, int(c.Y), size)
	return w
}

func follow(first, n, at, size int) int {
	if at >= 0 {
		first = max(min(first, at), at-n+1)
	}
	return max(0, min(first, size-n))
}

// Cell returns the cell at a position relative to the upper left corner. The grid
// lines to the right of a cell and below it belong to the cell. It returns false for
// positions outside all cells.
func (f Form) Cell(w Window, x, y int) (match.Cell, bool) {
	left, top := f.origin()
	dx, dy := f.pitch()
	if x < left || y < top || (x-left)/dx >= w.Columns || (y-top)/dy >= w.Rows {
		return Nowhere, false
	}
	return match.At(w.Left+(x-left)/dx, w.Top+(y-top)/dy), true
}
