package board

import (
	"broadside/match"
)

// Form is how a board is drawn.
type Form struct {
	Width, Height int  // of the inside of a cell, in characters; the width is 2 or more
	Lines         bool // there are lines between the cells, and around them
	Frame         bool // there is a line around the board; with Lines there always is
}

// The forms, from the largest to the smallest.
var (
	Huge    = Form{Width: 7, Height: 3, Lines: true}
	Wide    = Form{Width: 5, Height: 1, Lines: true}
	Grid    = Form{Width: 3, Height: 1, Lines: true}
	Compact = Form{Width: 3, Height: 1, Frame: true}
	Tight   = Form{Width: 3, Height: 1}
	Narrow  = Form{Width: 2, Height: 1, Frame: true}
	Tiny    = Form{Width: 2, Height: 1}
)

// pitch is the distance between two cells.
func (f Form) pitch() (x, y int) {
	if f.Lines {
		return f.Width + 1, f.Height + 1
	}
	return f.Width, f.Height
}

// labels is the width of the letters beside a board, with the space after them.
const labels = 2

// origin is where the inside of the first cell is, from the upper left corner
// of what is drawn.
func (f Form) origin() (x, y int) {
	if f.Lines || f.Frame {
		return labels + 1, 2
	}
	return labels, 1
}

// Outer is the size of what is drawn of a window of columns and rows, headings
// included.
func (f Form) Outer(columns, rows int) (width, height int) {
	x, y := f.pitch()
	left, top := f.origin()
	width, height = left+columns*x, top+rows*y
	if f.Frame {
		width, height = width+1, height+1
	}
	return width, height
}

// Rooms is how many columns and rows fit into a width and a height.
func (f Form) Rooms(width, height int) (columns, rows int) {
	w, h := f.Outer(0, 0)
	x, y := f.pitch()
	return max(0, (width-w)/x), max(0, (height-h)/y)
}

// Window is the part of a board that is drawn: from a cell on, so many columns
// and rows.
type Window struct {
	Left, Top     int
	Columns, Rows int
}

// Whole is a window onto a whole board.
func Whole(size int) Window { return Window{Columns: size, Rows: size} }

// Follow moves the window as little as it takes to show a cell, and onto a
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

// Cell is the cell at a place of what is drawn, from its upper left corner; of
// lines, those to the right of a cell and below it are its own. It is false for
// places on no cell.
func (f Form) Cell(w Window, x, y int) (match.Cell, bool) {
	left, top := f.origin()
	dx, dy := f.pitch()
	if x < left || y < top || (x-left)/dx >= w.Columns || (y-top)/dy >= w.Rows {
		return Nowhere, false
	}
	return match.At(w.Left+(x-left)/dx, w.Top+(y-top)/dy), true
}
