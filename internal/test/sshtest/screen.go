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

	Bold, Faint, Italic, Underline, Blink, Reverse, Conceal, Strike bool
}

// Screen returns the screen as text: one line per row, without trailing blanks.
func (p *Terminal) Screen() string { return Text(p.Snapshot()) }

// Line returns row y of the screen, counted from zero, without trailing blanks.
func (p *Terminal) Line(y int) string {
	s := p.Snapshot()
	if y < 0 || y >= s.Height() {
		return ""
	}
	return lineText(s.Line(y))
}

// Cell returns the cell in column x and row y, both counted from zero. Outside the screen
// it returns the zero value.
func (p *Terminal) Cell(x, y int) Cell {
	if c := p.Snapshot().CellAt(x, y); c != nil {
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
		if at := strings.Index(row.String(), text); at >= 0 {
			return starts[at], y, true
		}
	}
	return 0, 0, false
}

// Styled returns the screen in the format of the function [Styled].
func (p *Terminal) Styled() string { return Styled(p.Snapshot()) }

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
			if c := p.em.CellAt(x, y); c != nil {
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

// Styled returns a screen as text for golden files. A row that is not plain is
// followed by a line with the styles of its columns:
//
//	|Broadside   ada
//	: 0-8 bold fg=15 bg=#173f73; 12-14 fg=8
func Styled(s *uv.Buffer) string {
	var out strings.Builder
	for y := range s.Height() {
		line := s.Line(y)
		fmt.Fprintf(&out, "|%s\n", lineText(line))
		var runs []string
		for from := 0; from < len(line); {
			look, to := lookOf(&line[from]), from+1
			for to < len(line) && lookOf(&line[to]) == look {
				to++
			}
			if look != "" {
				runs = append(runs, fmt.Sprintf("%d-%d%s", from, to-1, look))
			}
			from = to
		}
		if runs != nil {
			fmt.Fprintf(&out, ": %s\n", strings.Join(runs, "; "))
		}
	}
	return out.String()
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
	has := func(attr uint8) bool { return c.Style.Attrs&attr != 0 }
	return Cell{
		Text: textOf(c), Fg: colourOf(c.Style.Fg), Bg: colourOf(c.Style.Bg),
		Bold: has(uv.AttrBold), Faint: has(uv.AttrFaint), Italic: has(uv.AttrItalic),
		Underline: c.Style.Underline != uv.UnderlineNone,
		Blink:     has(uv.AttrBlink | uv.AttrRapidBlink), Reverse: has(uv.AttrReverse),
		Conceal: has(uv.AttrConceal), Strike: has(uv.AttrStrikethrough),
	}
}

// lookOf returns the style of a cell, each word preceded by a blank.
func lookOf(c *uv.Cell) string {
	cell := cellOf(c)
	var look strings.Builder
	for _, attr := range []struct {
		on   bool
		name string
	}{
		{cell.Bold, " bold"}, {cell.Faint, " faint"}, {cell.Italic, " italic"}, {cell.Underline, " underline"},
		{cell.Blink, " blink"}, {cell.Reverse, " reverse"}, {cell.Conceal, " conceal"}, {cell.Strike, " strike"},
	} {
		if attr.on {
			look.WriteString(attr.name)
		}
	}
	if cell.Fg != "" {
		look.WriteString(" fg=" + cell.Fg)
	}
	if cell.Bg != "" {
		look.WriteString(" bg=" + cell.Bg)
	}
	return look.String()
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
