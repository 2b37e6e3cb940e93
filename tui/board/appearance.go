package board

import (
	"slices"

	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/term/colour"
)

// appearance is how one cell looks. From the outside in, a cell has water, a ship's hull and a tile. The hull and
// the tile can be missing. Flat water has one tone, otherwise waterBase is the darkest one.
type appearance struct {
	waterBase   colour.Name
	isFlatWater bool
	hull        colour.Name
	tile        colour.Name
	isWholeTile bool
	part        section

	text colour.Name
	bold bool
	sign rune
	// leftMark and rightMark are beside the sign. They are 0 if there are none.
	leftMark, rightMark rune
}

func (d *drawing) newAppearance(x, y int) appearance {
	c := d.cellAt(x, y)
	at := match.NewCell(x, y)
	p := c.style.Pen()
	l := appearance{waterBase: d.waterBase, text: p.Text, bold: p.Bold, sign: c.sign, part: section(c.part)}
	isOpenWater := p.Ground == colour.Sea || p.Ground == colour.Own
	switch {
	case isOpenWater:
		// Nothing covers the water.
	case c.style == term.Deduced || c.style == term.Spared:
		l.waterBase, l.isFlatWater = p.Ground, true
	case c.style >= term.Heat0:
		l.tile, l.isWholeTile = p.Ground, true
	case c.ship == 0:
		l.tile, l.isWholeTile = p.Ground, d.Height == 1 || d.texts != nil
	case c.style == term.HullHit:
		l.hull, l.tile = colour.Ship, p.Ground
	default:
		l.hull = p.Ground
	}
	if c.waterTint != colour.None {
		l.waterBase, l.isFlatWater = c.waterTint, true
	}
	if c.tileFlash != colour.None {
		l.tile, l.text = c.tileFlash, colour.OnFire
		if c.tileFlash == colour.Flash {
			l.text = colour.OnFlash
		}
	}
	d.addMarks(&l, at)
	return l
}

// addMarks adds the signs around a cell, and the cursor.
func (d *drawing) addMarks(l *appearance, at match.Cell) {
	switch {
	case at == d.Aim:
		l.leftMark, l.rightMark = '[', ']'
		if d.texts == nil {
			l.tile, l.text, l.bold = colour.Aim, colour.OnAim, d.Detail != term.Shapes
			l.isWholeTile = l.hull == colour.None && d.Height == 1
		}
	case slices.Contains(d.LastShots, at) || d.Blocked.Has(at):
		l.leftMark, l.rightMark = '‹', '›'
		l.isWholeTile = l.isWholeTile || d.Height == 1 && l.tile != colour.None
	case at == d.Hover:
		l.leftMark, l.rightMark = '(', ')'
	}
}

// tileCoversPixel reports whether the tile covers a pixel of a cell.
func (a *appearance) tileCoversPixel(f Form, x, y int) bool {
	if a.isWholeTile {
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
	case a.hull != colour.None:
		side = 2
	}
	return y >= side && y < height-side
}

// pixelColour returns the colour of a pixel of a cell, whose water has a tone, from 0 to 3.
func (a *appearance) pixelColour(f Form, x, y int, tone colour.Name) colour.Name {
	switch {
	case a.tile != colour.None && a.tileCoversPixel(f, x, y):
		return a.tile
	case a.hull != colour.None && a.part.coversPixel(f, x, y):
		return a.hull
	case a.isFlatWater:
		return a.waterBase
	case f.Detail < term.Waves:
		return a.waterBase
	}
	return a.waterBase + tone
}
