package svg

import (
	_ "embed" // for the stylesheets
	"fmt"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"broadside/match"
)

// Stylesheet is the CSS of boards. Its colours are variables.
//
//go:embed board.css
var Stylesheet string

// navyTheme sets the variables of [Stylesheet] for pictures.
//
//go:embed navy.css
var navyTheme string

// Panel is a board of a picture with the line above it.
type Panel struct {
	Title string
	Board *Board
}

// Frame is a moment of a match on a sheet. See [DrawSheet].
type Frame struct {
	Title  string
	Panels [2]Panel
}

// A sheet's layout, in units.
const (
	sheetColumns = 3
	sheetCell    = 14
	sheetMargin  = 20
	// frameTop is the distance from a frame's upper edge to its boards.
	frameTop = 44
	sheetTop = 60
)

// DrawSheet returns an SVG document with at least one frame, row by row, below a title and a note. Unit is the
// size of a unit in pixels.
func DrawSheet(title, note string, frames []Frame, unit int) []byte {
	cells := frames[0].Panels[0].Board.size
	size := (cells + 1) * sheetCell
	frameWidth, frameHeight := 2*(size+sheetMargin)+sheetMargin, size+frameTop
	rows := (len(frames) + sheetColumns - 1) / sheetColumns
	width := min(sheetColumns, len(frames)) * frameWidth
	height := sheetTop + rows*frameHeight + sheetMargin
	sheet := g.Group{
		g.Attr("xmlns", "http://www.w3.org/2000/svg"), g.Attr("viewBox", fmt.Sprintf("0 0 %d %d", width, height)),
		intAttribute("width", width*unit), intAttribute("height", height*unit),
		g.El("style", g.Raw(navyTheme+Stylesheet)),
		g.Raw(SeaSymbol(cells)),
		g.El("rect", h.Class("ground"), intAttribute("width", width), intAttribute("height", height)),
		drawText(sheetMargin, 28, title, h.Class("name")), drawText(sheetMargin, 48, note, h.Class("note")),
	}
	for n, f := range frames {
		left := n%sheetColumns*frameWidth + sheetMargin
		top := sheetTop + n/sheetColumns*frameHeight + frameTop
		sheet = append(sheet, drawText(left, top-22, f.Title, h.Class("note")))
		for i, p := range f.Panels {
			x := left + i*(size+sheetMargin)
			sheet = append(sheet, drawText(x, top-6, p.Title, h.Class("note")),
				p.Board.draw(noAttributes, intAttribute("x", x), intAttribute("y", top),
					intAttribute("width", size), intAttribute("height", size)))
		}
	}
	var s strings.Builder
	// Writing to a builder cannot fail.
	g.El("svg", sheet).Render(&s)
	return []byte(s.String())
}

func noAttributes(match.Cell, Cell) g.Node { return nil }
