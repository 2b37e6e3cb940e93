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
func (p *Terminal) Screen() string { return Text(p.Snapshot()) }

// Cell returns the cell in column x and row y, both counted from zero. Outside the screen
// it returns the zero value.
func (p *Terminal) Cell(x, y int) Cell {
	c := p.Snapshot().CellAt(x, y)
	if c != nil {
		return cellOf(c)
	}
	return Cell{}
}

// Find returns the column and row of the first occurrence of a text, from the top. The
// text must be in one row.
func (p *Terminal) Find(text string) (x, y int, ok bool) {
	for y, line := range p.Snapshot().Lines {
		var row strings.Builder
		starts := make(map[int]int, len(line)) // offset in row → column
		for x := range line {
			starts[row.Len()] = x
			row.WriteString(textOf(&line[x]))
		}
		at := strings.Index(row.String(), text)
		if at >= 0 {
			return starts[at], y, true
		}
	}
	return 0, 0, false
}

// Snapshot returns a copy of the screen, for pictures and detailed checks.
func (p *Terminal) Snapshot() *uv.Buffer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.snapshot()
}

// snapshot is like Snapshot. The caller holds p.mu.
func (p *Terminal) snapshot() *uv.Buffer {
	s := uv.NewBuffer(p.em.Width(), p.em.Height())
	for y, line := range s.Lines {
		for x := range line {
			c := p.em.CellAt(x, y)
			if c != nil {
				line[x] = *c // SetCell would overwrite the halves of wide characters
			}
		}
	}
	return s
}

// Text returns a screen in the format of [Terminal.Screen].
func Text(s *uv.Buffer) string {
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
		row.WriteString(cellOf(&line[x]).Text)
	}
	return row.String()
}

func textOf(c *uv.Cell) string {
	if c.Content == "" && c.Width > 0 {
		return " "
	}
	return c.Content
}

func cellOf(c *uv.Cell) Cell {
	return Cell{Text: textOf(c), Fg: colourOf(c.Style.Fg), Bg: colourOf(c.Style.Bg)}
}

func colourOf(c color.Color) string {
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
