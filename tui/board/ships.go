package board

import (
	"strings"

	"broadside/match"
	"broadside/tui/term"
)

// ShipRows returns a row of squares for each ship of the fleet on a chart. The squares of ships afloat are filled.
func ShipRows(c *match.Chart, d term.Detail) []string {
	afloat := ShipsAfloat(c)
	gone := "□"
	if d == term.Letters {
		gone = SignSunk
	}
	var rows []string
	for i, class := range c.Rules.Fleet {
		if afloat[i] {
			rows = append(rows, strings.Repeat(SignHull, class.Length))
		} else {
			rows = append(rows, term.Faint.Render(strings.Repeat(gone, class.Length)))
		}
	}
	return rows
}

// ShipsAfloat returns for each ship of the fleet on a chart whether it is afloat, as far as the chart tells.
func ShipsAfloat(c *match.Chart) []bool {
	left := c.Afloat
	ships := make([]bool, len(c.Rules.Fleet))
	for i, class := range c.Rules.Fleet {
		if left[class.Length] > 0 {
			left[class.Length]--
			ships[i] = true
		}
	}
	return ships
}
