package term

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"broadside/tui/term/colour"
)

// Surface is the background of a part of the screen, and the colour of text on it.
type Surface uint8

// The surfaces. Text is on Ground unless a line says otherwise.
const (
	// Ground is the screen's background.
	Ground Surface = iota
	// Card is behind blocks and panes.
	Card
	// Raised is behind the row under the mouse and unselected tabs.
	Raised
	// Selected is behind the selected row, whose text has one colour.
	Selected
	// TopBar is behind the screen's first line.
	TopBar
	surfaceCount
)

// surfacePens holds the pen of plain text on each surface.
var surfacePens = [surfaceCount]Pen{
	Ground:   {colour.Text, colour.Ground, false},
	Card:     {colour.Text, colour.Card, false},
	Raised:   {colour.Text, colour.Raised, false},
	Selected: {colour.OnAccent, colour.Accent, true},
	TopBar:   {colour.OnBar, colour.Bar, false},
}

var surfaceMarks = func() (m [surfaceCount]string) {
	for s := range m {
		m[s] = markStart + strconv.Itoa(s) + "m"
	}
	return m
}()

// Fill returns a line on this surface, cut or padded to a width in cells. The line may
// have styles and parts on other surfaces.
func (s Surface) Fill(line string, width int) string {
	w := Width(line)
	if w > width {
		line = ansi.Truncate(line, width, "…")
	}
	return s.Render(line, max(0, width-w))
}

// Render returns a line on this surface, followed by spaces. The line may have styles and parts on
// other surfaces.
func (s Surface) Render(line string, spaces int) string {
	begin := surfaceMarks[s]
	return begin + strings.ReplaceAll(line, surfaceMarks[Ground], begin) + strings.Repeat(" ", spaces) + surfaceMarks[Ground]
}

// inherit returns the pen with the surface's colours in place of missing ones. On Selected, all text has the
// surface's colour.
func (p Pen) inherit(s Surface) Pen {
	base := surfacePens[s]
	if p.Ground != colour.None && p.Text != colour.None {
		return p
	}
	if p.Text == colour.None || s == Selected {
		p.Text = base.Text
	}
	if p.Ground == colour.None {
		p.Ground = base.Ground
	}
	p.Bold = p.Bold || base.Bold
	return p
}

// HighlightColumns returns a line with the surface Raised between two columns, except where it is selected.
func HighlightColumns(line string, from, to int) string {
	var b strings.Builder
	now, style, raised := surfaceMarks[Ground], "", false
	for column := 0; line != ""; {
		if n := markLength(line); n > 0 {
			mark := line[:n]
			line = line[n:]
			switch {
			case slices.Contains(surfaceMarks[:], mark):
				now, style, raised = mark, "", false
			case mark == StyleEnd:
				style = ""
			case isZoneMark(mark):
			default:
				style = mark
			}
			b.WriteString(mark)
			continue
		}
		inside := column >= from && column < to && now != surfaceMarks[Selected]
		switch {
		case inside && !raised:
			b.WriteString(surfaceMarks[Raised] + style)
		case !inside && raised:
			b.WriteString(now + style)
		}
		raised = inside
		n, width := 1, 1
		if line[0] >= utf8.RuneSelf {
			_, n = utf8.DecodeRuneInString(line)
			width = Width(line[:n])
		}
		b.WriteString(line[:n])
		line = line[n:]
		column += width
	}
	if raised {
		b.WriteString(now)
	}
	return b.String()
}

// markLength returns the length of the mark or end of style that a text starts with, or 0.
func markLength(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	return strings.IndexByte(s, 'm') + 1
}
