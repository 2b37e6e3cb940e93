package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"broadside/match"
)

// cellWidth is the width of a cell on the screen; a cell is one line high.
const cellWidth = 3

// boardHeight is the height of a drawn board: column numbers, border, cells.
func boardHeight(size int) int { return size + 3 }

// drawBoard draws a board of the given size as lines of equal width. Cell
// yields the drawn cell. The row and the column of the cursor are emphasised;
// a cursor off the board means that there is none.
func drawBoard(size int, at match.Cell, cell func(match.Cell) string) []string {
	t := looks()
	lines := make([]string, 0, boardHeight(size))
	var b strings.Builder
	b.WriteString("   ")
	for x := range size {
		n := fmt.Sprintf("%2d ", x+1)
		if x == int(at.X) {
			n = t.strong.Render(n)
		} else {
			n = t.faint.Render(n)
		}
		b.WriteString(n)
	}
	b.WriteString(" ")
	lines = append(lines, b.String())
	bar := strings.Repeat("─", size*cellWidth)
	lines = append(lines, "  ┌"+bar+"┐")
	for y := range size {
		b.Reset()
		letter := string(rune('A' + y))
		if y == int(at.Y) {
			letter = t.strong.Render(letter)
		} else {
			letter = t.faint.Render(letter)
		}
		b.WriteString(letter + " │")
		for x := range size {
			b.WriteString(cell(match.At(x, y)))
		}
		b.WriteString("│")
		lines = append(lines, b.String())
	}
	return append(lines, "  └"+bar+"┘")
}

// noCell is a cell on no board.
var noCell = match.At(-1, -1)

// drawChart draws what a side knows of the other's board.
func drawChart(c *match.Chart, at match.Cell, shot match.Shot) []string {
	return drawBoard(c.Rules.Size, at, func(cell match.Cell) string {
		return looks().chart[c.At(cell)][frameOf(cell, at, shot)]
	})
}

// drawFleet draws a side's own board.
func drawFleet(v *match.View, side match.Side, shot match.Shot) []string {
	return drawBoard(v.Rules.Size, noCell, func(cell match.Cell) string {
		return looks().board[v.Board(side, cell)][frameOf(cell, noCell, shot)]
	})
}

func frameOf(cell, at match.Cell, shot match.Shot) frameKind {
	switch {
	case cell == at:
		return cursor
	case shot.Number > 0 && cell == shot.Cell:
		return last
	}
	return plain
}

// beside puts two blocks of lines side by side, with a gap between them.
func beside(left, right []string, gap int) []string {
	width := 0
	for _, l := range left {
		width = max(width, ansi.StringWidth(l))
	}
	out := make([]string, max(len(left), len(right)))
	for i := range out {
		var l, r string
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		if r != "" {
			l = pad(l, width+gap)
		}
		out[i] = l + r
	}
	return out
}

// pad makes s exactly width wide.
func pad(s string, width int) string {
	w := ansi.StringWidth(s)
	if w > width {
		return ansi.Truncate(s, width, "…")
	}
	return s + strings.Repeat(" ", width-w)
}

// centred puts s into the middle of width.
func centred(s string, width int) string {
	if w := ansi.StringWidth(s); w < width {
		return strings.Repeat(" ", (width-w)/2) + s
	}
	return s
}
