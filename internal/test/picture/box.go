package picture

import (
	"image"
	"image/color"
)

// weight is the weight of a line from the middle of a cell to one of its sides.
type weight uint8

const (
	none weight = iota
	light
	heavy
	double
)

// arms holds the four lines of a box-drawing character: up, right, down, left.
type arms [4]weight

// boxes holds the arms of the box-drawing characters from U+2500. Characters without arms
// are drawn differently: dashes, arcs and diagonals.
var boxes = func() [0x80]arms {
	const n, l, h, d = none, light, heavy, double
	return [0x80]arms{
		0x00: {n, l, n, l}, 0x01: {n, h, n, h}, 0x02: {l, n, l, n}, 0x03: {h, n, h, n},
		0x0c: {n, l, l, n}, 0x0d: {n, h, l, n}, 0x0e: {n, l, h, n}, 0x0f: {n, h, h, n},
		0x10: {n, n, l, l}, 0x11: {n, n, l, h}, 0x12: {n, n, h, l}, 0x13: {n, n, h, h},
		0x14: {l, l, n, n}, 0x15: {l, h, n, n}, 0x16: {h, l, n, n}, 0x17: {h, h, n, n},
		0x18: {l, n, n, l}, 0x19: {l, n, n, h}, 0x1a: {h, n, n, l}, 0x1b: {h, n, n, h},
		0x1c: {l, l, l, n}, 0x1d: {l, h, l, n}, 0x1e: {h, l, l, n}, 0x1f: {l, l, h, n},
		0x20: {h, l, h, n}, 0x21: {h, h, l, n}, 0x22: {l, h, h, n}, 0x23: {h, h, h, n},
		0x24: {l, n, l, l}, 0x25: {l, n, l, h}, 0x26: {h, n, l, l}, 0x27: {l, n, h, l},
		0x28: {h, n, h, l}, 0x29: {h, n, l, h}, 0x2a: {l, n, h, h}, 0x2b: {h, n, h, h},
		0x2c: {n, l, l, l}, 0x2d: {n, l, l, h}, 0x2e: {n, h, l, l}, 0x2f: {n, h, l, h},
		0x30: {n, l, h, l}, 0x31: {n, l, h, h}, 0x32: {n, h, h, l}, 0x33: {n, h, h, h},
		0x34: {l, l, n, l}, 0x35: {l, l, n, h}, 0x36: {l, h, n, l}, 0x37: {l, h, n, h},
		0x38: {h, l, n, l}, 0x39: {h, l, n, h}, 0x3a: {h, h, n, l}, 0x3b: {h, h, n, h},
		0x3c: {l, l, l, l}, 0x3d: {l, l, l, h}, 0x3e: {l, h, l, l}, 0x3f: {l, h, l, h},
		0x40: {h, l, l, l}, 0x41: {l, l, h, l}, 0x42: {h, l, h, l}, 0x43: {h, l, l, h},
		0x44: {h, h, l, l}, 0x45: {l, l, h, h}, 0x46: {l, h, h, l}, 0x47: {h, h, l, h},
		0x48: {l, h, h, h}, 0x49: {h, l, h, h}, 0x4a: {h, h, h, l}, 0x4b: {h, h, h, h},
		0x50: {n, d, n, d}, 0x51: {d, n, d, n},
		0x52: {n, d, l, n}, 0x53: {n, l, d, n}, 0x54: {n, d, d, n},
		0x55: {n, n, l, d}, 0x56: {n, n, d, l}, 0x57: {n, n, d, d},
		0x58: {l, d, n, n}, 0x59: {d, l, n, n}, 0x5a: {d, d, n, n},
		0x5b: {l, n, n, d}, 0x5c: {d, n, n, l}, 0x5d: {d, n, n, d},
		0x5e: {l, d, l, n}, 0x5f: {d, l, d, n}, 0x60: {d, d, d, n},
		0x61: {l, n, l, d}, 0x62: {d, n, d, l}, 0x63: {d, n, d, d},
		0x64: {n, d, l, d}, 0x65: {n, l, d, l}, 0x66: {n, d, d, d},
		0x67: {l, d, n, d}, 0x68: {d, l, n, l}, 0x69: {d, d, n, d},
		0x6a: {l, d, l, d}, 0x6b: {d, l, d, l}, 0x6c: {d, d, d, d},
		0x74: {n, n, n, l}, 0x75: {l, n, n, n}, 0x76: {n, l, n, n}, 0x77: {n, n, l, n},
		0x78: {n, n, n, h}, 0x79: {h, n, n, n}, 0x7a: {n, h, n, n}, 0x7b: {n, n, h, n},
		0x7c: {n, h, n, l}, 0x7d: {l, n, h, n}, 0x7e: {n, l, n, h}, 0x7f: {h, n, l, n},
	}
}()

// box draws a box-drawing character.
func (p *painter) box(r rune, at image.Rectangle, c color.RGBA) bool {
	switch i := r - 0x2500; {
	case boxes[i] != arms{}:
		p.arms(boxes[i], at, c)
	case i <= 0x0b: // three or four dashes; light or heavy; horizontal or vertical
		p.dashes(3+int(i-4)/4, i%2 == 1, i%4 >= 2, at, c)
	case i <= 0x4f:
		p.dashes(2, i%2 == 1, i >= 0x4e, at, c)
	case i <= 0x70:
		p.arc(i-0x6d, at, c)
	default:
		o := p.outline(at)
		thin := float64(p.stroke())
		if r != '╲' {
			o.stroke(0, o.h, o.w, 0, thin)
		}
		if r != '╱' {
			o.stroke(0, 0, o.w, o.h, thin)
		}
		o.fill(c)
	}
	return true
}

// arms draws lines from the middle to the sides. Each extends beyond the middle as far as
// needed to join the perpendicular lines.
func (p *painter) arms(a arms, at image.Rectangle, c color.RGBA) {
	thin := p.stroke()
	w, h := at.Dx(), at.Dy()
	half := func(side weight) int { // half the thickness of a line
		return map[weight]int{none: 0, light: thin, heavy: 2 * thin, double: 3 * thin}[side]
	}
	for side, kind := range a {
		if kind == none {
			continue
		}
		before, after, opposite := a[(side+3)%4], a[(side+1)%4], a[(side+2)%4]
		// rails are the strokes of the line: their offsets from the middle, across the
		// line, and how far each starts beyond the middle.
		type rail struct{ from, to, reach int } // from and to in half pixels
		var rails []rail
		switch kind {
		case light, heavy:
			reach := max(half(before), half(after))
			if before == double && after == double && opposite == none {
				reach = -thin // ends at the nearer stroke of a double line
			} else if before == double || after == double {
				if opposite != none && before == after {
					reach = 0
				}
			}
			rails = []rail{{-half(kind), half(kind), reach}}
		case double:
			reach := func(near, far weight) int {
				switch {
				case near == double:
					return -thin // turns here
				case far == double:
					return 3 * thin // extends around the corner
				case near == none && far == none:
					return 0
				case opposite != none:
					return 0
				}
				return max(half(near), half(far))
			}
			rails = []rail{{-3 * thin, -thin, reach(before, after)}, {thin, 3 * thin, reach(after, before)}}
		}
		for _, r := range rails {
			var dst image.Rectangle
			x, y := w, h // the middle, in half pixels
			switch side {
			case 0:
				dst = image.Rect(x+r.from, 0, x+r.to, y+r.reach)
			case 1:
				dst = image.Rect(x-r.reach, y+r.from, 2*w, y+r.to)
			case 2:
				dst = image.Rect(x-r.to, y-r.reach, x-r.from, 2*h)
			case 3:
				dst = image.Rect(0, y-r.to, x+r.reach, y-r.from)
			}
			dst = image.Rect(dst.Min.X/2, dst.Min.Y/2, dst.Max.X/2, dst.Max.Y/2)
			p.fill(dst.Add(at.Min), c)
		}
	}
}

func (p *painter) dashes(n int, bold, down bool, at image.Rectangle, c color.RGBA) {
	thick := p.stroke()
	if bold {
		thick *= 2
	}
	for i := range n {
		length := at.Dx()
		if down {
			length = at.Dy()
		}
		from, to := length*i/n, length*(i+1)/n
		gap := (to - from) / 3
		r := image.Rect(from+gap/2, (at.Dy()-thick)/2, to-gap+gap/2, (at.Dy()-thick)/2+thick)
		if down {
			r = image.Rect((at.Dx()-thick)/2, from+gap/2, (at.Dx()-thick)/2+thick, to-gap+gap/2)
		}
		p.fill(r.Add(at.Min), c)
	}
}

// arc draws a rounded corner: 0 ╭, 1 ╮, 2 ╯, 3 ╰.
func (p *painter) arc(corner rune, at image.Rectangle, c color.RGBA) {
	o := p.outline(at)
	thin := float64(p.stroke())
	// The lines that the arc joins have whole pixels.
	x0, y0 := float64((2*at.Dx()-2*p.stroke())/4), float64((2*at.Dy()-2*p.stroke())/4)
	radius := o.w / 2
	// Draw ╭: from the right side to the bottom.
	x := func(x float64) float64 { return x }
	y := x
	if corner == 1 || corner == 2 {
		x = func(x float64) float64 { return 2*x0 + thin - x }
	}
	if corner >= 2 {
		y = func(y float64) float64 { return 2*y0 + thin - y }
	}
	const k = 0.5523 // Bézier control distance for a quarter circle, relative to the radius
	at2 := func(px, py float64) (float32, float32) { return float32(x(px)), float32(y(py)) }
	move := func(px, py float64) { o.path.MoveTo(at2(px, py)) }
	line := func(px, py float64) { o.path.LineTo(at2(px, py)) }
	curve := func(ax, ay, bx, by, cx, cy float64) {
		a1, a2 := at2(ax, ay)
		b1, b2 := at2(bx, by)
		c1, c2 := at2(cx, cy)
		o.path.CubeTo(a1, a2, b1, b2, c1, c2)
	}
	outer, inner := radius, radius-thin
	cx, cy := x0+outer, y0+outer // the circle's centre
	far := 2 * o.h
	move(2*o.w, y0)
	line(cx, y0)
	curve(cx-k*outer, y0, x0, cy-k*outer, x0, cy)
	line(x0, far)
	line(x0+thin, far)
	line(x0+thin, cy)
	curve(x0+thin, cy-k*inner, cx-k*inner, y0+thin, cx, y0+thin)
	line(2*o.w, y0+thin)
	o.path.ClosePath()
	o.fill(c)
}
