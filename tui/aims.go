package tui

import (
	"broadside/match"
)

// aims says what enter fires at, or that there is nothing to fire at.
func (m *Model) aims(c *match.Chart, at match.Cell, t *typing) string {
	if !worth(c, at) || !t.fits(c.Rules) {
		return m.lang.Say("Choose a target.")
	}
	return m.lang.Say("Fire at %s with enter.", looks().strong.Render(at.String()))
}

// worth tells whether there is something to learn from a shot at a cell.
func worth(c *match.Chart, at match.Cell) bool {
	return c.Rules.Moving || !c.Shots.Has(at) && !c.Deduced.Has(at)
}
