package tui

import (
	"broadside/internal/term"
	"broadside/tui/component"
)

// pointer is the position of the mouse, if known.
type pointer struct {
	x, y int
	on   bool
}

// zone returns the zone under the pointer, or nil.
func (p pointer) zone(zones []component.Zone) *component.Zone {
	for i := range zones {
		if z := &zones[i]; p.on && p.y == z.Line && p.x >= z.Left && p.x < z.Left+z.Width {
			return z
		}
	}
	return nil
}

// raise marks the zone under the pointer in the lines of a frame.
func (p pointer) raise(lines []string, zones []component.Zone) {
	if z := p.zone(zones); z != nil && z.Line < len(lines) {
		lines[z.Line] = term.Raise(lines[z.Line], z.Left, z.Left+z.Width)
	}
}
