package svg

import (
	"fmt"
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"broadside/match"
)

// Grid returns the board as an SVG element for a page, with its headings. It is a grid of
// cells for screen readers: name names the board, and describe describes a cell. The page
// needs [Symbol] and [Stylesheet].
func (b *Board) Grid(id, name string, describe func(match.Cell, Cell) string) g.Node {
	size := strconv.Itoa(b.size)
	label := func(at match.Cell, c Cell) g.Node {
		return g.Group{h.Role("gridcell"), h.Aria("label", describe(at, c))}
	}
	return b.draw(label, h.ID(id), h.Role("grid"), h.Aria("label", name),
		h.Aria("rowcount", size), h.Aria("colcount", size))
}

// draw draws the board with its headings. label returns attributes of a cell.
func (b *Board) draw(label func(match.Cell, Cell) g.Node, attributes ...g.Node) g.Node {
	edge := 10 * b.size
	board := g.Group{
		h.Class("board"), g.Group(attributes), g.Attr("viewBox", fmt.Sprintf("-10 -10 %d %d", edge+11, edge+11)),
		g.El("g", h.Class("heads"), h.Aria("hidden", "true"), b.headings()),
		g.El("rect", h.Class("sea0"), number("width", edge), number("height", edge)),
		g.El("use", h.Href(fmt.Sprintf("#sea-%d", b.size)), number("width", edge), number("height", edge)),
	}
	for y := range b.size {
		row := g.Group{h.Role("row"), h.Aria("rowindex", strconv.Itoa(y+1))}
		for x := range b.size {
			at := match.NewCell(x, y)
			row = append(row, b.At(at).draw(x, y, label(at, b.At(at))))
		}
		board = append(board, g.El("g", row))
	}
	return g.El("svg", board)
}

// headings draws the letters of the rows and the numbers of the columns.
func (b *Board) headings() (all g.Group) {
	for i := range b.size {
		all = append(all, label(10*i+5, -3, strconv.Itoa(i+1)), label(-5, 10*i+7, string(rune('A'+i))))
	}
	return all
}

// number returns an attribute.
func number(name string, n int) g.Node { return g.Attr(name, strconv.Itoa(n)) }

// label draws a text.
func label(x, y int, text string, attributes ...g.Node) g.Node {
	return g.El("text", number("x", x), number("y", y), g.Group(attributes), g.Text(text))
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

// draw draws a cell: hull, tile and glyph, in this order. Parts that it does not have are empty because they may
// change.
func (c Cell) draw(x, y int, attributes g.Node) g.Node {
	part := func(class, path string) g.Node {
		if path == "" {
			return g.El("path")
		}
		return g.El("path", h.Class(class), g.Attr("d", path))
	}
	at := fmt.Sprintf("translate(%d %d)", 10*x, 10*y)
	return g.El("g", h.Class(c.class()), g.Attr("transform", at), attributes,
		part("hull", c.Hull), part("tile", c.Tile), label(5, 7, c.Glyph))
}
