package tui

import (
	"broadside/tui/term"
	"broadside/tui/widget"
)

// pointer is the position of the mouse, if known.
type pointer struct {
	x, y int
	on   bool
}

// zone returns the zone of a frame under the pointer. It returns false if there is none.
func (p pointer) zone(d *drawn) (widget.Zone, bool) {
	if p.on {
		for z := range d.zones {
			if p.y == z.Line && p.x >= z.Left && p.x < z.Left+z.Width {
				return z, true
			}
		}
	}
	return widget.Zone{}, false
}

// raise marks the zone under the pointer in the lines of a frame.
func (p pointer) raise(d *drawn) {
	if z, ok := p.zone(d); ok && z.Line < len(d.shown.Lines) {
		d.shown.Lines[z.Line] = term.Raise(d.shown.Lines[z.Line], z.Left, z.Left+z.Width)
	}
}
