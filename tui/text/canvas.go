package text

import (
	"math"
	"strings"

	"broadside/tui/term"
	"broadside/tui/term/colour"
)

type cell struct {
	glyph string
	pen   term.Pen
}

// canvas is one row of a drawing.
type canvas []cell

// newCanvas returns a row of blank cells on a background.
func newCanvas(width int, ground colour.Name) canvas {
	c := make(canvas, width)
	for x := range c {
		c[x] = cell{" ", term.Pen{Text: colour.Text, Ground: ground}}
	}
	return c
}

// writeText writes text at column x.
func (c canvas) writeText(x int, text string, color colour.Name, bold bool) {
	for _, r := range text {
		if x >= 0 && x < len(c) {
			c[x] = cell{string(r), term.Pen{Text: color, Ground: c[x].pen.Ground, Bold: bold}}
		}
		x++
	}
}

// drawPixels draws two rows of pixels at column x, the upper one in the colour up and the lower one in low.
// Without colours, two pixels in a cell become a full block.
func (c canvas) drawPixels(x int, upper, lower string, up, low colour.Name, d term.Detail) {
	for i := range upper {
		if x+i < 0 || x+i >= len(c) {
			continue
		}
		at := &c[x+i]
		switch top, bottom := upper[i] != ' ', lower[i] != ' '; {
		case top && bottom && d < term.Shapes:
			*at = cell{"█", term.Pen{Text: up, Ground: at.pen.Ground}}
		case top && bottom:
			*at = cell{"▀", term.Pen{Text: up, Ground: low}}
		case top:
			*at = cell{"▀", term.Pen{Text: up, Ground: at.pen.Ground}}
		case bottom:
			*at = cell{"▄", term.Pen{Text: low, Ground: at.pen.Ground}}
		}
	}
}

// renderColumns returns a range of columns as a line with styles.
func (c canvas) renderColumns(from, to int) string {
	var b []byte
	var pen term.Pen
	for _, at := range c[from:to] {
		if at.glyph == " " {
			// A space has no visible text colour.
			at.pen.Text, at.pen.Bold = colour.Text, false
		}
		if at.pen != pen {
			if pen != (term.Pen{}) {
				b = append(b, term.StyleEnd...)
			}
			b, pen = at.pen.AppendMark(b), at.pen
		}
		b = append(b, at.glyph...)
	}
	if pen != (term.Pen{}) {
		b = append(b, term.StyleEnd...)
	}
	return string(b)
}

// drawWaves draws the sea's surface.
func (c canvas) drawWaves() {
	const heights = "▁▂▃▄▅"
	all := strings.Split(heights, "")
	for x := range c {
		h := 2 + 1.3*math.Sin(0.21*float64(x)) + 1.1*math.Sin(0.09*float64(x)+1)
		c[x] = cell{all[max(0, min(len(all)-1, int(h+0.5)))], term.Pen{Text: colour.Crest, Ground: c[x].pen.Ground}}
	}
}

// drawWater draws row y of the sea. Deep water is darker.
func (c canvas) drawWater(y int, deep bool, d term.Detail) {
	for x := range c {
		up, low := seaColour(x, 2*y, deep), seaColour(x, 2*y+1, deep)
		switch {
		case d < term.Waves && deep:
			c[x] = cell{" ", term.Pen{Text: colour.Text, Ground: colour.Deep2}}
		case d < term.Waves:
			c[x] = cell{" ", term.Pen{Text: colour.Text, Ground: colour.Sea}}
		case up == low:
			c[x] = cell{" ", term.Pen{Text: colour.Text, Ground: up}}
		default:
			c[x] = cell{"▀", term.Pen{Text: up, Ground: low}}
		}
	}
}

// seaColour returns the sea's colour at column x and half row y.
func seaColour(x, y int, deep bool) colour.Name {
	if deep {
		return colour.Deep0 + colour.Name(colour.SeaTone(x, y))
	}
	return [...]colour.Name{colour.Sea, colour.Sea1, colour.Sea2, colour.Crest}[colour.SeaTone(x, y)]
}
