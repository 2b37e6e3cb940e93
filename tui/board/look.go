package board

import (
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/term/colour"
	"slices"
)

// look is the appearance of one cell. From the outside in, a cell has water, the hull of a
// ship, and a tile; each but the water can be missing.
type look struct {
	water colour.Name // its lowest tone
	flat  bool        // the water has no tones
	hull  colour.Name
	tile  colour.Name
	whole bool // the tile fills the cell
	part  section

	text  colour.Name
	bold  bool
	sign  rune
	left  rune // around the sign; 0 for none
	right rune
}

// lookAt returns the appearance of a cell.
func (d *drawing) lookAt(x, y int) look {
	c := d.cellAt(x, y)
	at := match.NewCell(x, y)
	p := c.style.Pen()
	l := look{water: d.water, text: p.Text, bold: p.Bold, sign: c.sign, part: section(c.part)}
	switch {
	case p.Ground == colour.Sea || p.Ground == colour.Own:
	case c.style == term.Deduced || c.style == term.Spared:
		l.water, l.flat = p.Ground, true
	case c.style >= term.Heat0:
		l.tile, l.whole = p.Ground, true
	case c.ship == 0:
		l.tile, l.whole = p.Ground, d.Height == 1 || d.texts != nil
	case c.style == term.HullHit:
		l.hull, l.tile = colour.Ship, p.Ground
	default:
		l.hull = p.Ground
	}
	if c.tint != colour.None {
		l.water, l.flat = c.tint, true
	}
	if c.flash != colour.None {
		l.tile, l.text = c.flash, colour.OnFire
		if c.flash == colour.Flash {
			l.text = colour.OnFlash
		}
	}
	d.addMarks(&l, at)
	return l
}

// addMarks adds the signs around a cell, and the cursor.
func (d *drawing) addMarks(l *look, at match.Cell) {
	switch {
	case at == d.Aim:
		l.left, l.right = '[', ']'
		if d.texts == nil {
			l.tile, l.text, l.bold = colour.Aim, colour.OnAim, d.Detail != term.Shapes
			l.whole = l.hull == colour.None && d.Height == 1
		}
	case slices.Contains(d.Last, at) || d.Blocked.Has(at):
		l.left, l.right = '‹', '›'
		l.whole = l.whole || d.Height == 1 && l.tile != colour.None
	case at == d.Hover:
		l.left, l.right = '(', ')'
	}
}

// tileCovers reports whether the tile covers a pixel of a cell.
func (l *look) tileCovers(f Form, x, y int) bool {
	if l.whole {
		return true
	}
	width, height := 2*f.Width, 4*f.Height
	side := 1
	if f.Width == Tiny.Width {
		side = 0
	}
	if x < side || x >= width-side {
		return false
	}
	side = 1
	switch {
	case f.Height == 1:
		side = 0
	case l.hull != colour.None:
		side = 2
	}
	return y >= side && y < height-side
}

// pixelColour returns the colour of a pixel of a cell, whose water has a tone, from 0 to 3.
func (l *look) pixelColour(f Form, x, y int, tone colour.Name) colour.Name {
	switch {
	case l.tile != colour.None && l.tileCovers(f, x, y):
		return l.tile
	case l.hull != colour.None && l.part.covers(f, x, y):
		return l.hull
	case l.flat:
		return l.water
	case f.Detail < term.Waves:
		return l.water
	}
	return l.water + tone
}
