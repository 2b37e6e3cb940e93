package sshtest

import (
	"fmt"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Cell is one cell of the screen.
type Cell struct {
	Text   string // its text; " " if empty, "" for the second half of a wide character
	Fg, Bg string // "": default colour; "0" to "255": palette; "#rrggbb": RGB
}

// Screen returns the screen as text: one line per row, without trailing blanks.
func (tm *Terminal) Screen() string { return FormatScreen(tm.Snapshot()) }

// Cell returns the cell in column x and row y, both counted from zero. Outside the screen
// it returns the zero value.
func (tm *Terminal) Cell(x, y int) Cell {
	c := tm.Snapshot().CellAt(x, y)
	if c != nil {
		return newCell(c)
	}
	return Cell{}
}

// Find returns the column and row of the first occurrence of a text, from the top. The
// text must be in one row.
func (tm *Terminal) Find(text string) (x, y int, ok bool) {
	for y, line := range tm.Snapshot().Lines {
		var row strings.Builder
		starts := make(map[int]int, len(line)) // offset in row → column
		for x := range line {
			starts[row.Len()] = x
			row.WriteString(cellText(&line[x]))
		}
		at := strings.Index(row.String(), text)
		if at >= 0 {
			return starts[at], y, true
		}
	}
	return 0, 0, false
}

// Snapshot returns a copy of the screen, for pictures and detailed checks.
func (tm *Terminal) Snapshot() *uv.Buffer {
	tm.mu.Lock()
	defer tm.mu.Unlock()
	return tm.snapshotLocked()
}

// snapshotLocked is like Snapshot. The caller holds p.mu.
func (tm *Terminal) snapshotLocked() *uv.Buffer {
	s := uv.NewBuffer(tm.em.Width(), tm.em.Height())
	for y, line := range s.Lines {
		for x := range line {
			c := tm.em.CellAt(x, y)
			if c != nil {
				line[x] = *c // SetCell would overwrite the halves of wide characters
			}
		}
	}
	return s
}

// FormatScreen returns a screen in the format of [Terminal.Screen].
func FormatScreen(s *uv.Buffer) string {
	rows := make([]string, s.Height())
	for y := range rows {
		rows[y] = lineText(s.Line(y))
	}
	return strings.Join(rows, "\n")
}

func lineText(line uv.Line) string { return strings.TrimRight(rowText(line), " ") }

func rowText(line uv.Line) string {
	var row strings.Builder
	for x := range line {
		row.WriteString(newCell(&line[x]).Text)
	}
	return row.String()
}

func cellText(c *uv.Cell) string {
	if c.Content == "" && c.Width > 0 {
		return " "
	}
	return c.Content
}

func newCell(c *uv.Cell) Cell {
	return Cell{Text: cellText(c), Fg: colourName(c.Style.Fg), Bg: colourName(c.Style.Bg)}
}

func colourName(c color.Color) string {
	switch c := c.(type) {
	case nil:
		return ""
	case ansi.BasicColor:
		return fmt.Sprint(uint8(c))
	case ansi.IndexedColor:
		return fmt.Sprint(uint8(c))
	default:
		r, g, b, _ := c.RGBA()
		return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
	}
}
