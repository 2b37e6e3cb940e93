package board

import (
	"strings"

	"broadside/match"
	"broadside/tui/term"
)

// ShipRows returns a row of squares for each ship that the opponent on a chart has: filled
// ones for those afloat.
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

// ShipsAfloat reports for each ship that the opponent on a chart has whether it is afloat, as
// far as the chart tells.
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
