package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"broadside/match"
	"broadside/tui/board"
)

// chartBoard is what a side knows of the other's board, with the cursor and the
// last shot; a cursor off the board means that there is none.
func chartBoard(c *match.Chart, at match.Cell, shot match.Shot) *board.Board {
	b := board.Chart(c)
	b.Aim = at
	markLast(b, shot)
	return b
}

// fleetBoard is a side's own board.
func fleetBoard(v *match.View, side match.Side) *board.Board {
	b := board.Fleet(v, side)
	markLast(b, v.Last[side.Other()])
	return b
}

func markLast(b *board.Board, shot match.Shot) {
	if shot.Number > 0 {
		b.Last = shot.Cell
	}
}

// aims says what enter fires at, or that there is nothing to fire at.
func (m *Model) aims(c *match.Chart, at match.Cell, t *typing) string {
	if !worth(c, at) || !t.fits(c.Rules) {
		return m.lang.Say("Choose a target.")
	}
	return m.lang.Say("Fire at %s with enter.", looks().strong.Render(at.String()))
}

// worth tells whether there is something to learn from a shot at a cell.
func worth(c *match.Chart, at match.Cell) bool {
	return c.Rules.Moving || !c.Shots.Has(at) && !c.Deduced.Has(at)
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
			l = l + spaces(width+gap-textWide(l)) + r
		}
		out[i] = l
	}
	return out
}

// columns is two blocks beside each other or, where that is too wide, one below
// the other.
func (m *Model) columns(left, right []string, gap int) []string {
	if m.width >= twoBoards || widest(left)+gap+widest(right) <= m.width {
		return beside(left, right, gap)
	}
	return append(append(left, ""), right...)
}

// pad makes s exactly width wide.
func pad(s string, width int) string {
	w := textWide(s)
	if w > width {
		return ansi.Truncate(s, width, "…")
	}
	return s + spaces(width-w)
}

// blanks are more than most screens are wide.
var blanks = strings.Repeat(" ", 256)

// spaces is a line of n blanks.
func spaces(n int) string {
	if n > len(blanks) {
		return strings.Repeat(" ", n)
	}
	return blanks[:n]
}

// centred puts s into the middle of width.
func centred(s string, width int) string {
	if w := textWide(s); w < width {
		return spaces((width-w)/2) + s
	}
	return s
}

// widest is the width of the widest line.
func widest(lines []string) int {
	width := 0
	for _, l := range lines {
		width = max(width, textWide(l))
	}
	return width
}

// fit cuts off what is beyond a screen of the given size.
func fit(lines []string, width, height int) []string {
	lines = lines[:min(len(lines), height)]
	for i, l := range lines {
		if textWide(l) > width {
			lines[i] = ansi.Truncate(l, width, "")
		}
	}
	return lines
}
