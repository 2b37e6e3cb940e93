package board

import (
	"broadside/match"
)

// section is the part of a ship on a cell.
type section match.Part

// coversPixel reports whether a pixel of a cell is part of the hull.
func (s section) coversPixel(f Form, x, y int) bool {
	width, height := 2*f.Width, 4*f.Height
	switch s.Heading {
	case match.West:
		x = width - 1 - x
	case match.South:
		y = height - 1 - y
	}
	if s.Heading == match.North || s.Heading == match.South {
		return s.coversPixelUpright(f, x, y, width, height)
	}
	// side is the height of the water above and below the hull: 0, 1 or 2 pixels.
	side := f.Height - 1
	if y < side || y >= height-side || s.Stern && x < 1 && f.Width > Tiny.Width {
		return false
	}
	if !s.Bow || f.Height == 1 {
		return true
	}
	switch edge := min(y, height-1-y); {
	case x >= width-3:
		return edge >= height/4+f.Height/3
	case x >= width-5 && f.Height > 2:
		return edge >= side+1
	}
	return true
}

// coversPixelUpright is covers for a ship that heads north or south. y counts from the bow. Width and height are the
// cell's size in pixels.
func (s section) coversPixelUpright(f Form, x, y, width, height int) bool {
	side := max(1, f.Height-1)
	if f.Width == Tiny.Width {
		side = 0
	}
	edge := min(x, width-1-x)
	if edge < side || s.Stern && y >= height-f.Height+1 {
		return false
	}
	if s.Bow {
		switch {
		case y < 2:
			return edge >= side+1+f.Height/3
		case y < 4 && f.Height > 2:
			return edge >= side+1
		}
	}
	return true
}

// railChar returns a character of a hull that is drawn with letters. From is the column relative to the sign,
// reach the distance of an upright ship's rails from it, and signs tells whether the line has the sign.
func (s section) railChar(from, reach int, signs bool) rune {
	upright := s.Heading == match.North || s.Heading == match.South
	switch {
	case upright && from != -reach && from != reach, !upright && !signs:
		return ' '
	case !upright && s.Bow && s.Heading == match.East && from >= reach:
		return '>'
	case !upright && s.Bow && s.Heading == match.West && from <= -reach:
		return '<'
	case !upright:
		return '='
	case !s.Bow || !signs:
		return '|'
	case (s.Heading == match.North) == (from < 0):
		return '/'
	}
	return '\\'
}
