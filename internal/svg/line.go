package svg

import (
	"fmt"
	"slices"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// A line's size, in units.
const lineWidth, lineHeight = 320, 60

// LineElement returns a graph of at least two values, with a label for screen readers.
func LineElement(values []float64, label string) g.Node {
	low, high := slices.Min(values), slices.Max(values)
	var points []string
	for i, v := range values {
		x, y := float64(i)/float64(len(values)-1), 0.5
		if high > low {
			y = (high - v) / (high - low)
		}
		points = append(points, fmt.Sprintf("%.0f,%.0f", 2+x*(lineWidth-4), 2+y*(lineHeight-4)))
	}
	return g.El("svg", g.Attr("viewBox", fmt.Sprintf("0 0 %d %d", lineWidth, lineHeight)),
		intAttribute("width", lineWidth), intAttribute("height", lineHeight), h.Role("img"), h.Aria("label", label),
		g.El("polyline", g.Attr("points", strings.Join(points, " ")), g.Attr("fill", "none"),
			g.Attr("stroke", "currentColor"), g.Attr("stroke-width", "2")))
}
