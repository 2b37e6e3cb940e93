package component

import (
	"slices"
	"strings"

	"broadside/tui/format"
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
		a.Lines[i] = format.Pad(l, width)
	}
	return a
}

// width returns the width of the area.
func (a Area) width() int {
	if len(a.Lines) == 0 {
		return 0
	}
	return format.Width(a.Lines[0])
}

// shifted returns the zones of an area that moves by lines and columns.
func (a Area) shifted(lines, columns int) []Zone {
	zones := make([]Zone, len(a.Zones))
	for i, z := range a.Zones {
		z.Line += lines
		z.Left += columns
		zones[i] = z
	}
	return zones
}

// Within returns the zones of an area that moves by lines and columns, without those
// outside the lines from first to before last.
func (a Area) Within(lines, columns, first, last int) []Zone {
	zones := a.shifted(lines, columns)
	return slices.DeleteFunc(zones, func(z Zone) bool { return z.Line < first || z.Line >= last })
}

// Stack returns areas one below the other, with gap blank lines between them. The areas
// have the same width.
func Stack(gap int, areas ...Area) (all Area) {
	for i, a := range areas {
		if i > 0 {
			all.Lines = append(all.Lines, make([]string, gap)...)
		}
		all.Zones = append(all.Zones, a.shifted(len(all.Lines), 0)...)
		all.Lines = append(all.Lines, a.Lines...)
	}
	width := all.width()
	for i, l := range all.Lines {
		if l == "" {
			all.Lines[i] = format.Spaces(width)
		}
	}
	return all
}

// Beside returns areas side by side, with gap columns between them.
func Beside(gap int, areas ...Area) (all Area) {
	height, left := 0, 0
	for _, a := range areas {
		height = max(height, len(a.Lines))
	}
	rows := make([]strings.Builder, height)
	for i, a := range areas {
		width := a.width()
		if i > 0 {
			left += gap
		}
		all.Zones = append(all.Zones, a.shifted(0, left)...)
		for y := range rows {
			if i > 0 {
				rows[y].WriteString(format.Spaces(gap))
			}
			if y < len(a.Lines) {
				rows[y].WriteString(a.Lines[y])
			} else {
				rows[y].WriteString(format.Spaces(width))
			}
		}
		left += width
	}
	all.Lines = make([]string, height)
	for y := range rows {
		all.Lines[y] = rows[y].String()
	}
	return all
}

// Inset returns the area with a margin on its left.
func (a Area) Inset(columns int) Area {
	lines := make([]string, len(a.Lines))
	for i, l := range a.Lines {
		lines[i] = format.Spaces(columns) + l
	}
	return Area{Lines: lines, Zones: a.shifted(0, columns)}
}

// View returns a view of the area.
func (a Area) View() View { return View{Lines: a.Lines, Zones: a.Zones} }
