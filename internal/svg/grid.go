package svg

import (
	"fmt"
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"broadside/match"
)

// GridElement returns the board as an SVG element for a page, with its headings. For screen readers, it is a
// grid of cells. Name names the board, and describe describes a cell. The page needs [SeaSymbol] and
// [Stylesheet].
func (b *Board) GridElement(id, name string, describe func(match.Cell, Cell) string) g.Node {
	size := strconv.Itoa(b.size)
	label := func(at match.Cell, c Cell) g.Node {
		return g.Group{h.Role("gridcell"), h.Aria("label", describe(at, c))}
	}
	return b.draw(label, h.ID(id), h.Role("grid"), h.Aria("label", name),
		h.Aria("rowcount", size), h.Aria("colcount", size))
}

// draw draws the board with its headings. The function label returns a cell's attributes.
func (b *Board) draw(label func(match.Cell, Cell) g.Node, attributes ...g.Node) g.Node {
	edge := 10 * b.size
	board := g.Group{
		h.Class("board"), g.Group(attributes), g.Attr("viewBox", fmt.Sprintf("-10 -10 %d %d", edge+11, edge+11)),
		g.El("g", h.Class("heads"), h.Aria("hidden", "true"), b.drawHeadings()),
		g.El("rect", h.Class("sea0"), intAttribute("width", edge), intAttribute("height", edge)),
		g.El("use", h.Href(fmt.Sprintf("#sea-%d", b.size)), intAttribute("width", edge), intAttribute("height", edge)),
	}
	for y := range b.size {
		row := g.Group{h.Role("row"), h.Aria("rowindex", strconv.Itoa(y+1))}
		for x := range b.size {
			at := match.NewCell(x, y)
			row = append(row, b.DrawnCell(at).draw(x, y, label(at, b.DrawnCell(at))))
		}
		board = append(board, g.El("g", row))
	}
	return g.El("svg", board)
}

// drawHeadings draws the rows' letters and the columns' numbers.
func (b *Board) drawHeadings() (all g.Group) {
	for i := range b.size {
		all = append(all, drawText(10*i+5, -3, strconv.Itoa(i+1)), drawText(-5, 10*i+7, string(rune('A'+i))))
	}
	return all
}

func intAttribute(name string, n int) g.Node { return g.Attr(name, strconv.Itoa(n)) }

func drawText(x, y int, text string, attributes ...g.Node) g.Node {
	return g.El("text", intAttribute("x", x), intAttribute("y", y), g.Group(attributes), g.Text(text))
}

// classes returns the classes of the cell's element.
func (c Cell) classes() string {
	class := string(c.State)
	if c.Last {
		class += " last"
	}
	if c.OddsStep > 0 {
		class += fmt.Sprintf(" heat heat%d", c.OddsStep)
	}
	return class
}

// draw draws a cell's hull, tile and glyph, in this order. Missing parts are empty elements, because they may
// change.
func (c Cell) draw(x, y int, attributes g.Node) g.Node {
	part := func(class, path string) g.Node {
		if path == "" {
			return g.El("path")
		}
		return g.El("path", h.Class(class), g.Attr("d", path))
	}
	at := fmt.Sprintf("translate(%d %d)", 10*x, 10*y)
	return g.El("g", h.Class(c.classes()), g.Attr("transform", at), attributes,
		part("hull", c.Hull), part("tile", c.Tile), drawText(5, 7, c.Glyph))
}
