package picture

import (
	"encoding/xml"
	"fmt"
	"image/color"
	"io"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// Screen is a grid of cells. It must not change while it is drawn.
type Screen interface {
	Bounds() uv.Rectangle
	CellAt(x, y int) *uv.Cell // nil for an empty cell
}

// The size of a cell and the space around the screen. In the usual fonts, the block
// characters of adjacent lines touch at this size.
const (
	cellWidth  = 9.0
	cellHeight = 18.0
	baseline   = 14.4 // from the top of a cell
	padding    = 16.0
	fontSize   = 15.5
)

// Write draws the screen as SVG.
func Write(w io.Writer, s Screen) error {
	size := s.Bounds()
	width, height := cellWidth*float64(size.Dx())+2*padding, cellHeight*float64(size.Dy())+2*padding
	var grounds, texts strings.Builder
	for y := range size.Dy() {
		for _, r := range styleRuns(s, size.Min.Y+y) {
			r.draw(&grounds, &texts, padding+cellHeight*float64(y))
		}
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g" `+
		`font-family="ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace" font-size="%g">
<style>text{white-space:pre}rect{shape-rendering:crispEdges}</style>
<rect width="100%%" height="100%%" fill="%s"/>
%s%s</svg>
`, width, height, width, height, fontSize, hexColour(background), &grounds, &texts)
	if err != nil {
		return fmt.Errorf("write a picture: %w", err)
	}
	return nil
}

// run is a part of a line in one style.
type run struct {
	x, width int // in cells
	text     string
	style    uv.Style
}

// styleRuns returns a line's runs.
func styleRuns(s Screen, y int) (all []run) {
	size := s.Bounds()
	for x := range size.Dx() {
		c := s.CellAt(size.Min.X+x, y)
		switch {
		case c == nil:
			c = &uv.EmptyCell
		case c.Width == 0:
			continue // the second half of a wide character
		}
		n := len(all)
		if n == 0 || !all[n-1].style.Equal(&c.Style) {
			all = append(all, run{x: x, style: c.Style})
		}
		r := &all[len(all)-1]
		r.text += c.Content
		r.width += c.Width
	}
	return all
}

// draw draws the background and a run's text, whose upper edge is at y.
func (r *run) draw(grounds, texts *strings.Builder, y float64) {
	x, width := padding+cellWidth*float64(r.x), cellWidth*float64(r.width)
	text, ground := colours(&r.style)
	if ground != background {
		fmt.Fprintf(grounds, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" fill=\"%s\"/>\n", x, y, width, cellHeight, hexColour(ground))
	}
	if strings.TrimSpace(r.text) == "" && r.style.Underline == uv.UnderlineNone || r.style.Attrs&uv.AttrConceal != 0 {
		return
	}
	fmt.Fprintf(texts, `<text x="%g" y="%g" textLength="%g" lengthAdjust="spacingAndGlyphs" fill="%s"`, x, y+baseline, width, hexColour(text))
	for _, a := range []struct {
		on        bool
		attribute string
	}{
		{r.style.Attrs&uv.AttrBold != 0, `font-weight="bold"`},
		{r.style.Attrs&uv.AttrItalic != 0, `font-style="italic"`},
		{r.style.Underline != uv.UnderlineNone, `text-decoration="underline"`},
		{r.style.Attrs&uv.AttrStrikethrough != 0, `text-decoration="line-through"`},
	} {
		if a.on {
			texts.WriteString(" " + a.attribute)
		}
	}
	texts.WriteString(">")
	xml.EscapeText(texts, []byte(r.text)) // a builder takes everything
	texts.WriteString("</text>\n")
}

// The terminal's own colours.
var (
	foreground = color.RGBA{0xd8, 0xdc, 0xe3, 0xff}
	background = color.RGBA{0x14, 0x17, 0x1c, 0xff}
)

// palette holds the terminal's 16 basic colours, which vary between terminals.
var palette = [16]color.RGBA{
	{0x26, 0x2b, 0x33, 0xff}, {0xd0, 0x4b, 0x4b, 0xff}, {0x58, 0xa8, 0x5c, 0xff}, {0xc9, 0x9a, 0x3b, 0xff},
	{0x4a, 0x86, 0xcf, 0xff}, {0xa7, 0x6b, 0xc4, 0xff}, {0x3f, 0xa7, 0xad, 0xff}, {0xc3, 0xc8, 0xd0, 0xff},
	{0x6b, 0x73, 0x80, 0xff}, {0xee, 0x6a, 0x66, 0xff}, {0x7c, 0xc9, 0x7f, 0xff}, {0xe8, 0xbf, 0x5f, 0xff},
	{0x72, 0xa9, 0xee, 0xff}, {0xc7, 0x90, 0xe2, 0xff}, {0x63, 0xc9, 0xce, 0xff}, {0xf4, 0xf6, 0xf8, 0xff},
}

// colours returns the colours of a text and its background after applying its attributes.
func colours(s *uv.Style) (text, ground color.RGBA) {
	text, ground = toRGBA(s.Fg, foreground), toRGBA(s.Bg, background)
	if s.Attrs&uv.AttrReverse != 0 {
		text, ground = ground, text
	}
	if s.Attrs&uv.AttrFaint != 0 {
		mix := func(a, b uint8) uint8 { return uint8((int(a)*11 + int(b)*9) / 20) }
		text = color.RGBA{mix(text.R, ground.R), mix(text.G, ground.G), mix(text.B, ground.B), 0xff}
	}
	return text, ground
}

func toRGBA(c color.Color, otherwise color.RGBA) color.RGBA {
	switch c := c.(type) {
	case nil:
		return otherwise
	case ansi.BasicColor:
		return palette[c%16]
	case ansi.IndexedColor:
		if c < 16 {
			return palette[c]
		}
	}
	r, g, b, _ := c.RGBA()
	return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 0xff}
}

func hexColour(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
