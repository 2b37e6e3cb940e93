package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/vector"
)

// shape draws a character that is a line, a block or a simple shape, and reports whether
// it is one.
func (p *painter) shape(r rune, at image.Rectangle, c color.RGBA) bool {
	switch {
	case r >= 0x2500 && r <= 0x257f:
		return p.box(r, at, c)
	case r >= 0x2580 && r <= 0x259f:
		p.block(r, at, c)
		return true
	}
	o := p.outline(at)
	// Shapes are centred on the capitals and scale with the width of the cell.
	x, y := o.w/2, o.h/2
	u := o.w / 2 * 0.86
	thin := float64(p.stroke())
	switch r {
	case '●':
		o.disc(x, y, u, false)
	case '○':
		o.disc(x, y, u, false)
		o.disc(x, y, u-thin*1.25, true)
	case '◉', '◎':
		o.disc(x, y, u, false)
		o.disc(x, y, u-thin, true)
		o.disc(x, y, u*0.45, false)
	case '•':
		o.disc(x, y, u*0.55, false)
	case '·':
		o.disc(x, y, thin*1.15, false)
	case '■', '▪':
		s := u * map[rune]float64{'■': 0.9, '▪': 0.5}[r]
		o.polygon(x-s, y-s, x+s, y-s, x+s, y+s, x-s, y+s)
	case '□', '▫':
		s := u * map[rune]float64{'□': 0.9, '▫': 0.5}[r]
		o.polygon(x-s, y-s, x+s, y-s, x+s, y+s, x-s, y+s)
		s -= thin
		o.polygon(x-s, y-s, x-s, y+s, x+s, y+s, x+s, y-s)
	case '▲':
		o.polygon(x, y-u, x+u, y+u*0.8, x-u, y+u*0.8)
	case '▼':
		o.polygon(x-u, y-u*0.8, x+u, y-u*0.8, x, y+u)
	case '▶', '►', '▸':
		o.polygon(x-u*0.7, y-u*0.9, x+u*0.9, y, x-u*0.7, y+u*0.9)
	case '◀', '◄', '◂':
		o.polygon(x+u*0.7, y-u*0.9, x+u*0.7, y+u*0.9, x-u*0.9, y)
	case '◆', '♦':
		o.polygon(x, y-u*1.1, x+u, y, x, y+u*1.1, x-u, y)
	case '◇':
		o.polygon(x, y-u*1.1, x+u, y, x, y+u*1.1, x-u, y)
		s := u - thin*1.4
		o.polygon(x, y-s*1.1, x-s, y, x, y+s*1.1, x+s, y)
	case '×', '✕', '✗':
		s := u * 0.85
		o.stroke(x-s, y-s, x+s, y+s, thin*1.2)
		o.stroke(x-s, y+s, x+s, y-s, thin*1.2)
	case '✓':
		o.stroke(x-u*0.9, y+u*0.1, x-u*0.25, y+u*0.75, thin*1.2)
		o.stroke(x-u*0.3, y+u*0.8, x+u*0.9, y-u*0.8, thin*1.2)
	default:
		return false
	}
	o.fill(c)
	return true
}

// block draws one of the block elements.
func (p *painter) block(r rune, at image.Rectangle, c color.RGBA) {
	w, h := at.Dx(), at.Dy()
	part := func(x0, y0, x1, y1 int) { p.fill(image.Rect(x0, y0, x1, y1).Add(at.Min), c) }
	switch {
	case r == '▀':
		part(0, 0, w, h/2)
	case r <= '█': // lower eighths
		part(0, h-h*int(r-0x2580)/8, w, h)
	case r <= '▏': // left eighths, seven to one
		part(0, 0, w*int(0x2590-r)/8, h)
	case r == '▐':
		part(w/2, 0, w, h)
	case r <= '▓': // shades: a quarter, a half, three quarters of the pixels
		alpha := uint8(64 * (r - 0x2590))
		draw.Draw(p.img, at, image.NewUniform(color.NRGBA{c.R, c.G, c.B, alpha}), image.Point{}, draw.Over)
	case r == '▔':
		part(0, 0, w, h/8)
	case r == '▕':
		part(w-w/8, 0, w, h)
	default:
		const upperLeft, upperRight, lowerLeft, lowerRight = 1, 2, 4, 8
		q := [...]int{
			lowerLeft, lowerRight, upperLeft, upperLeft | lowerLeft | lowerRight, upperLeft | lowerRight,
			upperLeft | upperRight | lowerLeft, upperLeft | upperRight | lowerRight, upperRight,
			upperRight | lowerLeft, upperRight | lowerLeft | lowerRight,
		}[r-0x2596]
		for i, quarter := range [...]image.Rectangle{
			image.Rect(0, 0, w/2, h/2), image.Rect(w/2, 0, w, h/2), image.Rect(0, h/2, w/2, h), image.Rect(w/2, h/2, w, h),
		} {
			if q&(1<<i) != 0 {
				p.fill(quarter.Add(at.Min), c)
			}
		}
	}
}

// outline is a shape in a cell, in pixels from the top left corner. Parts with the
// opposite direction are cut out.
type outline struct {
	p    *painter
	at   image.Rectangle
	w, h float64
	path *vector.Rasterizer
}

func (p *painter) outline(at image.Rectangle) *outline {
	return &outline{p, at, float64(at.Dx()), float64(at.Dy()), vector.NewRasterizer(at.Dx(), at.Dy())}
}

func (o *outline) fill(c color.RGBA) {
	o.path.Draw(o.p.img, o.at, image.NewUniform(c), image.Point{})
}

// polygon adds a polygon with the coordinates x, y, x, y, …
func (o *outline) polygon(points ...float64) {
	for i := 0; i < len(points); i += 2 {
		x, y := float32(points[i]), float32(points[i+1])
		if i == 0 {
			o.path.MoveTo(x, y)
		} else {
			o.path.LineTo(x, y)
		}
	}
	o.path.ClosePath()
}

// disc adds a circle, or cuts one out.
func (o *outline) disc(x, y, radius float64, cut bool) {
	const corners = 64
	points := make([]float64, 0, 2*corners)
	for i := range corners {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
		if cut {
			sin = -sin
		}
		points = append(points, x+radius*cos, y+radius*sin)
	}
	o.polygon(points...)
}

// stroke adds a line of the given width.
func (o *outline) stroke(x0, y0, x1, y1, width float64) {
	length := math.Hypot(x1-x0, y1-y0)
	dx, dy := (x1-x0)/length*width/2, (y1-y0)/length*width/2
	// Use the same direction for all strokes, so that crossing strokes do not cut each
	// other out.
	o.polygon(x0+dy, y0-dx, x1+dy, y1-dx, x1-dy, y1+dx, x0-dy, y0+dx)
}
