package svg

import (
	"fmt"
	"html"
	"strings"
)

// Frame is a moment of a match on a [Sheet].
type Frame struct {
	Title  string
	Panels [2]Panel
}

// The layout of a sheet, in pixels.
const (
	sheetColumns = 3
	sheetCell    = 14.0
	sheetMargin  = 20.0
	frameTop     = 44.0 // between the upper edges of a frame and its boards
	sheetTop     = 60.0
)

// Sheet returns an SVG document with at least one frame, row by row, below a title and a note.
func Sheet(title, note string, frames []Frame) []byte {
	size := Extent(frames[0].Panels[0].Board.size, sheetCell)
	frameWidth, frameHeight := 2*(size+sheetMargin)+sheetMargin, size+frameTop
	rows := (len(frames) + sheetColumns - 1) / sheetColumns
	width := float64(min(sheetColumns, len(frames))) * frameWidth
	height := sheetTop + float64(rows)*frameHeight + sheetMargin
	var s strings.Builder
	fmt.Fprintf(&s, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f">`, width, height, width, height)
	s.WriteString(Style())
	fmt.Fprintf(&s, `<rect class="ground" width="%.0f" height="%.0f"/>`, width, height)
	text := func(class string, x, y float64, text string) {
		fmt.Fprintf(&s, "<text class=%q x=\"%.4g\" y=\"%.4g\">%s</text>\n", class, x, y, html.EscapeString(text))
	}
	text("name", sheetMargin, 28, title)
	text("note", sheetMargin, 48, note)
	for n, f := range frames {
		left := float64(n%sheetColumns)*frameWidth + sheetMargin
		top := sheetTop + float64(n/sheetColumns)*frameHeight + frameTop
		text("note", left, top-22, f.Title)
		for i, p := range f.Panels {
			x := left + float64(i)*(size+sheetMargin)
			text("note", x, top-6, p.Title)
			s.WriteString(p.Board.Draw(x, top, sheetCell))
		}
	}
	s.WriteString("</svg>\n")
	return []byte(s.String())
}
