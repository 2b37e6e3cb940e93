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
	heading := func(text string, emphasised bool) string {
		if emphasised {
			return t.strong.Render(text)
		}
		return t.faint.Render(text)
	}
	lines := make([]string, 0, boardHeight(size))
	var b line
	b.put("   ")
	for x := range size {
		b.put(heading(fmt.Sprintf("%2d ", x+1), x == int(at.X)))
	}
	b.put(" ")
	lines = append(lines, b.take())
	bar := strings.Repeat("─", size*cellWidth)
	lines = append(lines, "  ┌"+bar+"┐")
	for y := range size {
		b.put(heading(string(rune('A'+y)), y == int(at.Y)))
		b.put(" │")
		for x := range size {
			b.put(cell(match.At(x, y)))
		}
		b.put("│")
		lines = append(lines, b.take())
	}
	return append(lines, "  └"+bar+"┘")
}

// line joins pieces that have one style or none. Neighbours of the same style
// share it: a row of sea is a tenth as long that way, and all that is done with
// it a tenth of the work.
type line struct {
	text strings.Builder
	open string // the sequence of the style that is on
}

func (l *line) put(piece string) {
	open, body := "", piece
	if strings.HasPrefix(piece, "\x1b[") {
		end := strings.IndexByte(piece, 'm') + 1
		open, body = piece[:end], strings.TrimSuffix(piece[end:], endStyle)
	}
	if open != l.open {
		if l.open != "" {
			l.text.WriteString(endStyle)
		}
		l.text.WriteString(open)
		l.open = open
	}
	l.text.WriteString(body)
}

// take is the line that was put together. It begins the next one.
func (l *line) take() string {
	l.put("")
	defer l.text.Reset()
	return l.text.String()
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

// smallCellWidth is the width of a cell on a small board.
const smallCellWidth = 2

// drawSmall draws a board of the given size without border and headings.
func drawSmall(size int, shot match.Shot, look func(match.Cell) *[frames]string) []string {
	lines := make([]string, 0, size)
	var b line
	for y := range size {
		for x := range size {
			cell, frame := match.At(x, y), small
			if shot.Number > 0 && cell == shot.Cell {
				frame = smallLast
			}
			b.put(look(cell)[frame])
		}
		lines = append(lines, b.take())
	}
	return lines
}

// drawSmallChart draws what a side knows of the other's board.
func drawSmallChart(c *match.Chart, shot match.Shot) []string {
	return drawSmall(c.Rules.Size, shot, func(cell match.Cell) *[frames]string { return &looks().chart[c.At(cell)] })
}

// drawSmallFleet draws a side's board.
func drawSmallFleet(v *match.View, side match.Side, shot match.Shot) []string {
	return drawSmall(v.Rules.Size, shot, func(cell match.Cell) *[frames]string { return &looks().board[v.Board(side, cell)] })
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
	width := widest(left)
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

// widest is the width of the widest line.
func widest(lines []string) int {
	width := 0
	for _, l := range lines {
		width = max(width, ansi.StringWidth(l))
	}
	return width
}

// fit cuts off what is beyond a screen of the given size.
func fit(lines []string, width, height int) []string {
	lines = lines[:min(len(lines), height)]
	for i, l := range lines {
		if ansi.StringWidth(l) > width {
			lines[i] = ansi.Truncate(l, width, "")
		}
	}
	return lines
}
