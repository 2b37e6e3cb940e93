package svg

import (
	_ "embed" // for the stylesheet
	"fmt"
	"html"
	"strings"

	"broadside/match"
)

// Stylesheet is the CSS of boards. Its colours are variables.
//
//go:embed board.css
var Stylesheet string

// colours defines the variables of [Stylesheet] for pictures: the navy theme.
//
//go:embed navy.css
var colours string

// Extent returns the width and height of a board drawn by [Board.Draw].
func Extent(size int, cell float64) float64 { return float64(size+1) * cell }

// Draw draws the board with its headings as an SVG element for a picture that has
// [Style]. Its upper left corner is at x, y; cells are squares of the given size.
func (b *Board) Draw(x, y, cell float64) string {
	var s strings.Builder
	edge := 10 * b.size
	fmt.Fprintf(&s, `<g class="board" transform="translate(%.4g %.4g) scale(%.4g) translate(10 10)"><g class="heads">`, x, y, cell/10)
	b.headings().Render(&s) // a builder takes everything
	fmt.Fprintf(&s, "</g>\n<rect class=\"sea0\" width=\"%d\" height=\"%d\"/>%s", edge, edge, sea(b.size))
	for y := range b.size {
		s.WriteString("\n")
		for x := range b.size {
			b.At(match.At(x, y)).draw(x, y, false).Render(&s)
		}
	}
	s.WriteString("\n</g>\n")
	return s.String()
}

// Style returns the SVG element with the colours of boards, which a picture needs.
func Style() string { return "<style>" + colours + Stylesheet + "</style>\n" }

// Panel is a board of a picture with the line above it.
type Panel struct {
	Title string
	Board *Board
}

// The size of a picture made by [Picture], in pixels.
const (
	pictureWidth  = 1200
	pictureHeight = 630
)

// The layout of a picture.
const (
	margin   = 60.0
	logoLine = 62.0  // base line of the logo
	above    = 130.0 // the upper edge of the boards
	gap      = 60.0  // between the boards
)

// place returns the left edge of a board of a picture and the width of its cells.
func place(n int, b *Board) (x, cell float64) {
	edge := min((pictureWidth-2*margin-gap)/2, pictureHeight-above-20)
	left := (pictureWidth - 2*edge - gap) / 2
	return left + float64(n)*(edge+gap), edge / float64(b.size+1)
}

// Picture returns an SVG document with two boards.
func Picture(panels [2]Panel) []byte {
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d">`, pictureWidth, pictureHeight, pictureWidth, pictureHeight)
	s.WriteString(Style())
	fmt.Fprintf(&s, `<rect class="ground" width="%d" height="%d"/><text class="logo" x="%g" y="%g">≈ BROADSIDE</text>`, pictureWidth, pictureHeight, margin, logoLine)
	for i, p := range panels {
		x, cell := place(i, p.Board)
		fmt.Fprintf(&s, `<text class="name" x="%g" y="%g">%s</text>`, x+cell, above-8, html.EscapeString(p.Title))
		s.WriteString(p.Board.Draw(x, above, cell))
	}
	s.WriteString("</svg>\n")
	return []byte(s.String())
}
