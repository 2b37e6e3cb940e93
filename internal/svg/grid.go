package svg

import (
	"fmt"
	"html"
	"strings"

	"broadside/match"
)

// Grid returns the board as an SVG element for a page, with its headings. It is a grid of
// cells for screen readers: name names the board, and describe describes a cell. The page
// needs [Symbol] and [Stylesheet].
func (b *Board) Grid(id, name string, describe func(match.Cell, Cell) string) string {
	var s strings.Builder
	edge := 10 * b.size
	fmt.Fprintf(&s, `<svg class="board" id="%s" viewBox="-10 -10 %d %d" role="grid" aria-label="%s" aria-rowcount="%d" aria-colcount="%d">`,
		html.EscapeString(id), edge+11, edge+11, html.EscapeString(name), b.size, b.size)
	s.WriteString(`<g class="heads" aria-hidden="true">`)
	b.headings(&s)
	fmt.Fprintf(&s, `</g><rect class="sea0" width="%d" height="%d"/><use href="#sea-%d" width="%d" height="%d"/>`, edge, edge, b.size, edge, edge)
	for y := range b.size {
		fmt.Fprintf(&s, `<g role="row" aria-rowindex="%d">`, y+1)
		for x := range b.size {
			at := match.At(x, y)
			c := b.At(at)
			fmt.Fprintf(&s, `<g role="gridcell" class="%s" transform="translate(%d %d)" aria-label="%s">`, c.class(), 10*x, 10*y, html.EscapeString(describe(at, c)))
			c.draw(&s, true)
			s.WriteString("</g>")
		}
		s.WriteString("</g>")
	}
	s.WriteString("</svg>")
	return s.String()
}

// headings draws the letters of the rows and the numbers of the columns.
func (b *Board) headings(s *strings.Builder) {
	for i := range b.size {
		fmt.Fprintf(s, `<text x="%d" y="-3">%d</text><text x="-5" y="%d">%c</text>`, 10*i+5, i+1, 10*i+7, 'A'+i)
	}
}

// class returns the classes of the cell's element.
func (c Cell) class() string {
	class := string(c.State)
	if c.Last {
		class += " last"
	}
	if c.Heat > 0 {
		class += fmt.Sprintf(" heat heat%d", c.Heat)
	}
	return class
}

// draw draws the parts of a cell: hull, tile and glyph, in this order. If the cell may
// change, parts that it does not have are empty.
func (c Cell) draw(s *strings.Builder, mayChange bool) {
	for _, p := range []struct{ class, path string }{{"hull", c.Hull}, {"tile", c.Tile}} {
		switch {
		case p.path != "":
			fmt.Fprintf(s, `<path class="%s" d="%s"/>`, p.class, p.path)
		case mayChange:
			s.WriteString("<path/>")
		}
	}
	fmt.Fprintf(s, `<text x="5" y="7">%s</text>`, c.Glyph)
}
