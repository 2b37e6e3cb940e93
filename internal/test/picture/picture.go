package picture

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"

	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/image/font"
	"golang.org/x/image/math/fixed"
)

// Screen is a grid of cells. It must not change while it is drawn.
type Screen interface {
	Bounds() uv.Rectangle
	CellAt(x, y int) *uv.Cell // nil for an empty cell
}

// Options configures a picture. The zero value is ready to use.
type Options struct {
	Scale   int // pixels per point; 0: 2, for high-resolution screens
	Size    int // font size in points; 0: 15
	Padding int // space around the screen in points; 0: 16; negative: none
}

func (o Options) withDefaults() Options {
	return Options{
		Scale: max(cmp.Or(o.Scale, 2), 1), Size: max(cmp.Or(o.Size, 15), 4), Padding: max(cmp.Or(o.Padding, 16), 0),
	}
}

// Write writes the screen as a PNG.
func Write(w io.Writer, s Screen, o Options) error {
	img, err := Draw(s, o)
	if err != nil {
		return err
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(w, img); err != nil {
		return fmt.Errorf("encoding a picture: %w", err)
	}
	return nil
}

// Draw draws the screen.
func Draw(s Screen, o Options) (*image.RGBA, error) {
	o = o.withDefaults()
	f, err := newFaces(o.Size * o.Scale)
	if err != nil {
		return nil, fmt.Errorf("preparing a picture's fonts: %w", err)
	}
	defer f.close()
	size, pad := s.Bounds(), o.Padding*o.Scale
	p := painter{faces: f, scale: o.Scale, img: image.NewRGBA(image.Rect(0, 0,
		size.Dx()*f.width+2*pad, size.Dy()*f.height+2*pad))}
	p.fill(p.img.Bounds(), background)
	// Draw all backgrounds first, because a glyph may extend into the next cell.
	for _, glyphs := range []bool{false, true} {
		for y := range size.Dy() {
			for x := range size.Dx() {
				c := s.CellAt(size.Min.X+x, size.Min.Y+y)
				if c == nil || c.Width == 0 && c.Content == "" {
					continue // the second half of a wide cell, drawn with the first
				}
				at := image.Rect(0, 0, max(c.Width, 1)*f.width, f.height).Add(image.Pt(pad+x*f.width, pad+y*f.height))
				fg, bg := colours(&c.Style)
				if glyphs {
					p.glyph(c, at, fg)
				} else if bg != background {
					p.fill(at, bg)
				}
			}
		}
	}
	return p.img, nil
}

// painter draws cells into an image.
type painter struct {
	*faces
	img   *image.RGBA
	scale int
}

func (p *painter) fill(r image.Rectangle, c color.RGBA) {
	draw.Draw(p.img, r, image.NewUniform(c), image.Point{}, draw.Src)
}

func (p *painter) glyph(c *uv.Cell, at image.Rectangle, fg color.RGBA) {
	if c.Style.Attrs&uv.AttrConceal != 0 {
		return
	}
	if r := []rune(c.Content); len(r) > 0 && r[0] != ' ' {
		if len(r) != 1 || !p.shape(r[0], at, fg) {
			d := font.Drawer{Dst: p.img, Src: image.NewUniform(fg), Face: p.face(c.Style.Attrs),
				Dot: fixed.P(at.Min.X, at.Min.Y+p.baseline)}
			d.DrawString(c.Content)
		}
	}
	line := func(y int) { p.fill(image.Rect(at.Min.X, y, at.Max.X, y+p.stroke()), fg) }
	if c.Style.Underline != uv.UnderlineNone {
		line(at.Min.Y + p.baseline + 2*p.scale)
	}
	if c.Style.Attrs&uv.AttrStrikethrough != 0 {
		line(at.Min.Y + p.baseline*2/3)
	}
}

// stroke is the width of a thin line, in pixels.
func (p *painter) stroke() int { return max(p.height/18, 1) }
