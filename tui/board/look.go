package board

import (
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/term/colour"
)

// look is the appearance of one cell. From the outside in, a cell has water, the hull of a
// ship, and a tile; each but the water can be missing.
type look struct {
	water colour.Name // its lowest tone
	flat  bool        // the water has no tones
	lit   bool        // in the row or column of the cursor
	hull  colour.Name
	tile  colour.Name
	whole bool // the tile fills the cell
	low   bool // the tile is one line high
	joins uint8
	part  section

	text  colour.Name
	bold  bool
	sign  rune
	left  rune // around the sign; 0 for none
	right rune
}

// Directions in which a tile continues on the next cell.
const (
	joinsNorth = 1 << iota
	joinsEast
	joinsSouth
	joinsWest
)

// lookAt returns the appearance of a cell.
func (d *drawing) lookAt(x, y int) look {
	c := d.at(x, y)
	at := match.At(x, y)
	p := c.style.Pen()
	l := look{water: d.water, text: p.Text, bold: p.Bold, sign: c.sign, part: section(c.part)}
	switch {
	case p.Ground == colour.Sea || p.Ground == colour.Own:
		l.lit = d.Detail == term.Waves && (at.X == d.Aim.X || at.Y == d.Aim.Y)
	case c.style == term.Deduced || c.style == term.Spared:
		l.water, l.flat = p.Ground, true
	case c.style >= term.Heat0:
		l.tile, l.whole = p.Ground, true
	case c.ship == 0:
		l.tile, l.whole = p.Ground, d.Height == 1 || d.texts != nil
		l.joins = d.joins(x, y, c)
	case c.style == term.HullHit:
		l.hull, l.tile = colour.Ship, p.Ground
	default:
		l.hull = p.Ground
	}
	if c.tint != colour.None {
		l.water, l.flat, l.lit = c.tint, true, false
	}
	if c.flash != colour.None {
		l.tile, l.text = c.flash, colour.OnFire
		if c.flash == colour.Flash {
			l.text = colour.OnFlash
		}
	}
	d.mark(&l, at)
	return l
}

// mark adds the signs around a cell, and the cursor.
func (d *drawing) mark(l *look, at match.Cell) {
	switch {
	case at == d.Aim:
		l.left, l.right = '[', ']'
		if d.texts == nil {
			l.tile, l.text, l.bold, l.joins = colour.Aim, colour.OnAim, d.Detail != term.Shapes, 0
			l.whole = l.hull == colour.None && d.Height == 1
			l.low = d.Detail < term.Waves // a move of the cursor takes fewer bytes
		}
	case d.marked(at):
		l.left, l.right = '‹', '›'
		l.whole = l.whole || d.Height == 1 && l.tile != colour.None
	case at == d.Hover:
		l.left, l.right = '(', ')'
	}
}

// joins returns the directions in which the tile of a hit continues.
func (d *drawing) joins(x, y int, c *cell) (joins uint8) {
	if c.style != term.Struck {
		return 0
	}
	for i, n := range [...]*cell{d.at(x, y-1), d.at(x+1, y), d.at(x, y+1), d.at(x-1, y)} {
		if n.style == term.Struck && n.ship == 0 {
			joins |= 1 << i
		}
	}
	return joins
}

// covers reports whether the tile covers a pixel of a cell.
func (l *look) covers(f Form, x, y int) bool {
	if l.whole {
		return true
	}
	width, height := 2*f.Width, 4*f.Height
	side := 1
	if f.Width == Tiny.Width {
		side = 0
	}
	if x < side && l.joins&joinsWest == 0 || x >= width-side && l.joins&joinsEast == 0 {
		return false
	}
	side = 1
	switch {
	case f.Height == 1:
		side = 0
	case l.low:
		side = 2*f.Height - 2
	case l.hull != colour.None:
		side = 2
	}
	return (y >= side || l.joins&joinsNorth != 0) && (y < height-side || l.joins&joinsSouth != 0)
}

// pixel returns the colour of a pixel of a cell, whose water has a tone, from 0 to 3, and may
// be lit.
func (l *look) pixel(f Form, x, y int, tone colour.Name, lit bool) colour.Name {
	switch {
	case l.tile != colour.None && l.covers(f, x, y):
		return l.tile
	case l.hull != colour.None && l.part.covers(f, x, y):
		return l.hull
	case l.flat:
		return l.water
	case f.Detail < term.Waves:
		return l.water
	case lit:
		return l.water + colour.SeaLit - colour.Sea + tone
	}
	return l.water + tone
}
