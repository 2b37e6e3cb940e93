package arena

import (
	"fmt"
	"html"
	"strings"
)

// palette holds colours that most people can distinguish on white and on dark backgrounds.
var palette = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#8c6d31", "#666666", "#b03060"}

// drawing builds an SVG image on a white background. Attributes are written as in the file.
type drawing struct{ b strings.Builder }

func newSVG(width, height float64) *drawing {
	s := &drawing{}
	fmt.Fprintf(&s.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222">`+"\n",
		width, height, width, height)
	s.b.WriteString("<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n")
	return s
}

// bytes finishes the image and returns it.
func (s *drawing) bytes() []byte { return []byte(s.b.String() + "</svg>\n") }

func (s *drawing) line(x1, y1, x2, y2 float64, attributes string) {
	fmt.Fprintf(&s.b, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" %s/>\n", x1, x2, y1, y2, attributes)
}

func (s *drawing) text(x, y float64, attributes, text string) {
	fmt.Fprintf(&s.b, "<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>\n", x, y, attributes, html.EscapeString(text))
}

// title adds a title and a subtitle.
func (s *drawing) title(x float64, title, below string) {
	s.text(x, 26, `font-size="17" font-weight="bold"`, title)
	s.text(x, 46, `fill="#666"`, below)
}
