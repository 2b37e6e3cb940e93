package term

import (
	"strconv"
)

// Style is what a piece of text is written with. Themes say how it looks.
type Style uint8

// The styles. Each mark of a board has its own.
const (
	Plain Style = iota // the terminal's own

	Bar    // of the line at the top
	Title  // the name in it
	Faint  // less important
	Strong // important
	Key    // a key to press
	Good
	Bad
	Warn

	Heading     // letters and numbers beside a board
	HeadingHere // those of the cursor
	ChartLine   // lines between the cells of a chart
	FleetLine   // lines between the cells of a side's own board
	HullLine    // the outline of a ship
	WreckLine   // the outline of a sunk ship

	// What a chart shows of a cell.
	Unknown
	Missed
	Deduced
	Struck
	Wrecked

	// What a side's own board shows of a cell.
	Sea
	Splash // a shot that missed
	Spared // water, as the enemy can tell without a shot
	Hull
	HullHit
	HullSunk

	// The same, of shots some time ago and long ago, where ships move.
	MissedOlder
	MissedOld
	StruckOlder
	StruckOld
	SplashOlder
	SplashOld

	Ghost // where a ship would lie
	Wrong // where it must not
	Aim   // the cell of the cursor
	Blast // where a shot has just fallen

	Heat0 // the coldest of a map; the others follow
	Heat1
	Heat2
	Heat3
	Heat4
	Heat5
	Heat6
	Heat7
	Heat8

	styleCount
)

// Heats is the number of styles from Heat0 on.
const Heats = int(styleCount - Heat0)

// Heat returns the style of a cell of a heat map, for a share of the hottest one.
func Heat(share float64) Style { return Heat0 + Style(max(0, min(Heats-1, int(share*float64(Heats))))) }

// Text in an style stands between the style's mark and the end of all styles. A mark
// is written as a control sequence that no terminal is ever sent, so that what
// measures, cuts and strips text takes it for one.
const (
	markBegin = "\x1b[?"
	// End ends an style.
	StyleEnd = "\x1b[m"
)

var marks = func() (m [styleCount]string) {
	for k := Plain + 1; k < styleCount; k++ {
		m[k] = markBegin + strconv.Itoa(int(k)) + "m"
	}
	return m
}()

// Mark begins text in this style. [End] ends it. Plain has no mark.
func (k Style) Mark() string { return marks[k] }

// Render is text in this style. It must be on one line and have no style yet.
func (k Style) Render(text string) string {
	if text == "" || k == Plain {
		return text
	}
	return marks[k] + text + StyleEnd
}
