package term

import (
	"strconv"
	"strings"

	"broadside/internal/term/colour"
)

// Surface is the background of an area of the screen, and the colour of text on it.
type Surface uint8

// The surfaces. Text is on Ground unless a line says otherwise.
const (
	Ground   Surface = iota // the whole screen
	Card                    // blocks and panes
	Raised                  // the row under the mouse, unselected tabs
	Selected                // the selected row; all its text has the same colour
	TopBar                  // the first line of the screen
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
		m[s] = markBegin + strconv.Itoa(firstSurface+s) + "m"
	}
	return m
}()

// Fill returns a line on this surface, cut or padded to a width in cells. The line may
// have styles and parts on other surfaces.
func (s Surface) Fill(line string, width int) string {
	if w := Width(line); w > width {
		line = truncate(line, width)
	} else if w < width {
		line += strings.Repeat(" ", width-w)
	}
	begin := surfaceMarks[s]
	return begin + strings.ReplaceAll(line, surfaceMarks[Ground], begin) + surfaceMarks[Ground]
}

// on returns the pen on a surface.
func (p Pen) on(s Surface) Pen {
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
