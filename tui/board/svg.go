package board

import (
	"fmt"
	"strings"

	"broadside/match"
)

// svgCell is the appearance of a symbol in SVG.
type svgCell struct {
	fill string
	mark string // SVG drawn on it, in a 10×10 cell
}

const (
	svgSea   = "#e8f1f8"
	svgGrid  = "#c4d6e4"
	svgRing  = `<circle cx="5" cy="5" r="1.8" fill="#fff" stroke="#3b7ba8"/>`
	svgCross = `<path d="M2.5 2.5l5 5m0-5l-5 5" stroke="#fff" stroke-width="1.6"/>`
)

// svgCells are the cells that are not plain water.
var svgCells = map[string]svgCell{
	SignMiss:      {"#9cc4e0", svgRing},
	SignOlderMiss: {"#b8d4e8", svgRing},
	SignOldMiss:   {"#d0e2ef", svgRing},
	SignDeduced:   {"#d6e6f1", ""},
	SignHull:      {"#8a8f94", ""},
	SignHit:       {"#d64a3a", svgCross},
	SignOlderHit:  {"#e08a7f", svgCross},
	SignOldHit:    {"#e8b3ac", svgCross},
	SignSunk:      {"#222", svgCross},
	SignGhost:     {"#a8d5a2", ""},
	SignWrong:     {"#f0b090", ""},
}

// svgBows are white triangles that point in the direction of the bow, in a 10×10 cell.
var svgBows = [...]string{
	1 + match.North: "M5 1l2.5 3h-5z", 1 + match.East: "M9 5l-3 2.5v-5z",
	1 + match.South: "M5 9l2.5-3h-5z", 1 + match.West: "M1 5l3 2.5v-5z",
}

// SVGSize returns the width and height of the result of [Board.SVG].
func SVGSize(size int, cell float64) float64 { return float64(size+1) * cell }

// SVG draws the board with headings as an SVG element whose upper left corner is at x,
// y. Cells are squares of the given size. Ships have outlines if their cells are
// known. A ring marks the last shot.
func (b *Board) SVG(x, y, cell float64) string {
	var s strings.Builder
	fmt.Fprintf(&s, `<g transform="translate(%.4g %.4g) scale(%.4g)" font-size="6" fill="#555" text-anchor="middle">`, x, y, cell/10)
	for i := range b.size {
		fmt.Fprintf(&s, `<text x="%d" y="8">%d</text><text x="5" y="%d">%c</text>`, 10*i+15, i+1, 10*i+17, 'A'+i)
	}
	edge := 10 * b.size
	fmt.Fprintf(&s, "\n<rect x=\"10\" y=\"10\" width=\"%d\" height=\"%d\" fill=\"%s\"/>", edge, edge, svgSea)
	s.WriteString("\n<path d=\"")
	for i := range b.size + 1 {
		fmt.Fprintf(&s, "M10 %dh%dM%d 10v%d", 10*i+10, edge, 10*i+10, edge)
	}
	fmt.Fprintf(&s, "\" stroke=\"%s\" stroke-width=\"0.4\"/>", svgGrid)
	for i, p := range b.cells {
		if c, ok := svgCells[string(p.sign)]; ok {
			fmt.Fprintf(&s, "\n<g transform=\"translate(%d %d)\"><rect width=\"10\" height=\"10\" fill=\"%s\"/>%s", 10*(i%b.size)+10, 10*(i/b.size)+10, c.fill, c.mark)
			if p.bow > 0 {
				fmt.Fprintf(&s, `<path d="%s" fill="#fff"/>`, svgBows[p.bow])
			}
			s.WriteString("</g>")
		}
	}
	b.svgHulls(&s)
	for _, last := range b.Last {
		fmt.Fprintf(&s, "\n<circle cx=\"%d\" cy=\"%d\" r=\"6\" fill=\"none\" stroke=\"#e69f00\" stroke-width=\"1.4\"/>", 10*int(last.X)+15, 10*int(last.Y)+15)
	}
	s.WriteString("\n</g>\n")
	return s.String()
}

// svgHulls draws the outlines of the ships.
func (b *Board) svgHulls(s *strings.Builder) {
	type extent struct{ left, top, right, bottom int }
	hulls := map[int8]extent{}
	var order []int8
	for i, p := range b.cells {
		if p.ship == 0 {
			continue
		}
		x, y := i%b.size, i/b.size
		e, seen := hulls[p.ship]
		if !seen {
			e = extent{x, y, x, y}
			order = append(order, p.ship)
		}
		hulls[p.ship] = extent{min(e.left, x), min(e.top, y), max(e.right, x), max(e.bottom, y)}
	}
	for _, ship := range order {
		e := hulls[ship]
		fmt.Fprintf(s, "\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"2\" fill=\"none\" stroke=\"#222\"/>",
			10*e.left+10, 10*e.top+10, 10*(e.right-e.left+1), 10*(e.bottom-e.top+1))
	}
}
