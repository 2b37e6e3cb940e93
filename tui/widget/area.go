package widget

import (
	"slices"
	"strings"

	"broadside/tui/text"
)

// Area is a rectangle of lines of equal width, with its clickable zones.
type Area struct {
	Lines []string
	Zones []Zone // relative to the first line
}

// Text returns an area with lines of plain background, cut or padded to width.
func Text(width int, lines ...string) Area {
	a := Area{Lines: make([]string, len(lines))}
	for i, l := range lines {
		a.Lines[i] = text.Pad(l, width)
	}
	return a
}

// Width returns the width of the area in cells.
func (a Area) Width() int {
	if len(a.Lines) == 0 {
		return 0
	}
	return text.Width(a.Lines[0])
}

// appendZones appends the zones of an area that moves by lines and columns.
func (a Area) appendZones(zones []Zone, lines, columns int) []Zone {
	for _, z := range a.Zones {
		z.Line += lines
		z.Left += columns
		zones = append(zones, z)
	}
	return zones
}

// zonesOf returns an empty slice with room for the zones of all areas.
func zonesOf(areas []Area) []Zone {
	n := 0
	for _, a := range areas {
		n += len(a.Zones)
	}
	return make([]Zone, 0, n)
}

// Within returns the zones of an area that moves by lines and columns, without those
// outside the lines from first to before last.
func (a Area) Within(lines, columns, first, last int) []Zone {
	zones := a.appendZones(make([]Zone, 0, len(a.Zones)), lines, columns)
	return slices.DeleteFunc(zones, func(z Zone) bool { return z.Line < first || z.Line >= last })
}

// Stack returns areas one below the other, with gap blank lines between them. The areas
// have the same width.
func Stack(gap int, areas ...Area) (all Area) {
	all.Zones = zonesOf(areas)
	height := gap * (len(areas) - 1)
	for _, a := range areas {
		height += len(a.Lines)
	}
	all.Lines = make([]string, 0, height)
	for i, a := range areas {
		if i > 0 {
			all.Lines = append(all.Lines, make([]string, gap)...)
		}
		all.Zones = a.appendZones(all.Zones, len(all.Lines), 0)
		all.Lines = append(all.Lines, a.Lines...)
	}
	width := all.Width()
	for i, l := range all.Lines {
		if l == "" {
			all.Lines[i] = text.Spaces(width)
		}
	}
	return all
}

// Beside returns areas side by side, with gap columns between them. An empty area at an end makes a
// margin there.
func Beside(gap int, areas ...Area) (all Area) {
	height, left := 0, 0
	all.Zones = zonesOf(areas)
	for _, a := range areas {
		height = max(height, len(a.Lines))
		all.Zones = a.appendZones(all.Zones, 0, left)
		left += a.Width() + gap
	}
	all.Lines = make([]string, height)
	parts := make([]string, 0, 2*len(areas))
	for y := range all.Lines {
		parts = parts[:0]
		for i, a := range areas {
			if i > 0 {
				parts = append(parts, text.Spaces(gap))
			}
			if y < len(a.Lines) {
				parts = append(parts, a.Lines[y])
			} else {
				parts = append(parts, text.Spaces(a.Width()))
			}
		}
		all.Lines[y] = strings.Join(parts, "")
	}
	return all
}

// View returns a view of the area.
func (a Area) View() View { return View{Lines: a.Lines, Width: a.Width(), Zones: a.Zones} }
