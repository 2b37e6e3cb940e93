package match

import (
	"fmt"
	"strconv"
	"strings"
)

// Cell is a position on a board. X is the column, counted from 0 at the left, and Y the row,
// counted from 0 at the top. A Cell may be off the board: see [Rules.Contains].
type Cell struct{ X, Y int8 }

// NewCell returns the Cell at x, y. Coordinates too large for any board become -1, so that no
// board contains them.
func NewCell(x, y int) Cell {
	return Cell{X: clampCoordinate(x), Y: clampCoordinate(y)}
}

func clampCoordinate(v int) int8 {
	if v < 0 || v >= MaxSize {
		return -1
	}
	return int8(v)
}

// String returns the cell's name: row letter, then column number, as in "B7".
func (c Cell) String() string {
	if c.X < 0 || c.Y < 0 || c.X >= MaxSize || c.Y >= MaxSize {
		return fmt.Sprintf("(%d,%d)", c.X, c.Y)
	}
	return string(rune('A'+c.Y)) + strconv.Itoa(int(c.X)+1)
}

// ParseCell parses a name in the format of [Cell.String], in upper or lower case. The error
// is a [Problem].
func ParseCell(s string) (Cell, error) {
	t := strings.TrimSpace(s)
	if len(t) < 2 || len(t) > 3 {
		return Cell{}, newCellError(s)
	}
	row := t[0] | 0x20
	column, err := strconv.Atoi(t[1:])
	if row < 'a' || row > 'z' || err != nil || t[1] == '+' || t[1] == '-' || column < 1 || column > MaxSize {
		return Cell{}, newCellError(s)
	}
	return Cell{X: int8(column - 1), Y: int8(row - 'a')}, nil
}

func newCellError(s string) error {
	r := []rune(s)
	if len(r) > 12 {
		s = string(r[:12]) + "…"
	}
	return NewProblem("%q is not a cell: write the row's letter and the column's number, such as B7", s)
}

// Step returns the cell n cells from c towards h.
func (c Cell) Step(h Heading, n int) Cell {
	dx, dy := h.delta()
	return NewCell(int(c.X)+dx*n, int(c.Y)+dy*n)
}

// Heading is the direction in which a ship's bow points.
type Heading uint8

// The four headings go clockwise. North is up, towards row A.
const (
	North Heading = iota
	East
	South
	West
)

// Headings lists the four headings clockwise from North.
var Headings = [...]Heading{North, East, South, West}

// Axes are two headings that suffice to describe the cells of any ship.
var Axes = [...]Heading{East, South}

// deltas holds, for each heading, the step to the next cell.
var deltas = [...]Cell{North: {0, -1}, East: {1, 0}, South: {0, 1}, West: {-1, 0}}

// Rotate returns the heading after n quarter turns clockwise. A negative n turns anticlockwise.
func (h Heading) Rotate(n int) Heading {
	// This is right for negative n, too, because 4 divides 256.
	return (h + Heading(n)) % 4
}

func (h Heading) delta() (dx, dy int) {
	d := deltas[h%4]
	return int(d.X), int(d.Y)
}

// String returns the heading's letter: N, E, S or W.
func (h Heading) String() string {
	if h > West {
		return "?"
	}
	return "NESW"[h : h+1]
}
