package picture

import (
	"image/color"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

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

// colours returns the colours of a cell after applying its attributes.
func colours(s *uv.Style) (fg, bg color.RGBA) {
	fg, bg = rgba(s.Fg, foreground), rgba(s.Bg, background)
	if s.Attrs&uv.AttrReverse != 0 {
		fg, bg = bg, fg
	}
	if s.Attrs&uv.AttrFaint != 0 {
		fg = mix(fg, bg)
	}
	return fg, bg
}

func rgba(c color.Color, otherwise color.RGBA) color.RGBA {
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

// mix returns a colour between two, slightly nearer to the first.
func mix(a, b color.RGBA) color.RGBA {
	m := func(a, b uint8) uint8 { return uint8((int(a)*11 + int(b)*9) / 20) }
	return color.RGBA{m(a.R, b.R), m(a.G, b.G), m(a.B, b.B), 0xff}
}
