package board

import (
	"math/bits"

	"broadside/tui/term/colour"
)

// pixels are the colours of a character's 2 by 4 pixels, row by row.
type pixels [8]colour.Name

// A shape is a set of pixels, one bit for each.
type shape uint8

// block is a character that fills a shape.
type block struct {
	char  string
	shape shape
}

// blocks are the characters that divide a cell of the terminal in two.
var blocks = [...]block{
	{" ", 0}, {"▌", 0b01010101}, {"▐", 0b10101010}, {"▀", 0b00001111}, {"▄", 0b11110000}, {"▂", 0b11000000},
	{"▆", 0b11111100}, {"▖", 0b01010000}, {"▗", 0b10100000}, {"▘", 0b00000101}, {"▝", 0b00001010}, {"▚", 0b10100101},
	{"▞", 0b01011010}, {"▙", 0b11110101}, {"▛", 0b01011111}, {"▜", 0b10101111}, {"▟", 0b11111010},
}

// glyph is how to draw a shape: with a character, or with its complement.
type glyph struct {
	char     string
	inverted bool
}

// nearestGlyphs holds the best way to draw each shape.
var nearestGlyphs = func() (all [256]glyph) {
	for s := range all {
		best := 9
		for _, b := range blocks {
			if n := bits.OnesCount8(uint8(s) ^ uint8(b.shape)); n < best {
				best, all[s] = n, glyph{b.char, false}
			}
			if n := bits.OnesCount8(uint8(s) ^ ^uint8(b.shape)); n < best {
				best, all[s] = n, glyph{b.char, true}
			}
		}
	}
	return all
}()

// bestChar returns the character that resembles the pixels most, and its two colours.
func (p *pixels) bestChar() (char string, text, ground colour.Name) {
	ground = p[0]
	other, many := colour.None, false
	for _, c := range p[1:] {
		if c == ground || c == other {
			continue
		}
		many = other != colour.None
		if !many {
			other = c
		}
	}
	if other == colour.None {
		return " ", ground, ground
	}
	if many {
		ground, other = p.principalColours()
	}
	s := shape(0)
	for i, c := range p {
		if c == other || c != ground && belongsToFirst(c, other, ground) {
			s |= 1 << i
		}
	}
	d := nearestGlyphs[s]
	if d.inverted {
		return d.char, ground, other
	}
	return d.char, other, ground
}

// belongsToFirst reports whether a pixel of a third colour takes the colour a instead of b. The edge of the
// board and hulls keep their shape: the water beside them takes the next cell's colour.
func belongsToFirst(c, a, b colour.Name) bool {
	switch {
	case a == colour.Ground || b == colour.Ground:
		return b == colour.Ground
	case isWater(a) != isWater(b):
		return isWater(a) == isWater(c)
	}
	return !isHull(a)
}

// principalColours returns the two most important of at least three colours. The water beside a hull or a shot
// matters least.
func (p *pixels) principalColours() (first, second colour.Name) {
	weight := func(c colour.Name) (n int) {
		for _, o := range p {
			if o == c {
				n += 2
			}
		}
		switch {
		case c == colour.Ground:
			// The edge of the board is straight.
			n += 20
		case !isWater(c):
			n += 5
		}
		return n
	}
	for _, c := range p {
		if c == first || c == second {
			continue
		}
		if first == colour.None || weight(c) > weight(first) {
			first, second = c, first
		} else if second == colour.None || weight(c) > weight(second) {
			second = c
		}
	}
	return first, second
}

// isWater reports whether a colour is a tone of water without a shot.
func isWater(c colour.Name) bool {
	return c >= colour.Sea && c <= colour.Crest || c >= colour.Own && c <= colour.OwnCrest
}

func isHull(c colour.Name) bool { return c == colour.Ship || c == colour.Sunk || c == colour.Ghost }
