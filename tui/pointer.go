package tui

import (
	"broadside/tui/term"
)

// pointer is the mouse's position, if known.
type pointer struct {
	x, y int
	on   bool
}

// findZone returns the frame's zone under the pointer. It returns false if there is none.
func (p pointer) findZone(d *drawnFrame) (term.Zone, bool) {
	if p.on {
		for z := range term.Zones(d.frame.Lines) {
			if p.y == z.Line && p.x >= z.Left && p.x < z.Left+z.Width {
				return z, true
			}
		}
	}
	return term.Zone{}, false
}
