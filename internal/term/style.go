package term

import (
	"strconv"
)

// Style is the purpose of a piece of text. Themes define its appearance.
type Style uint8

// The styles. Each mark of a board has its own.
const (
	Plain Style = iota // the terminal's default

	Bar    // the title bar
	Title  // the name in the title bar
	Faint  // less important
	Strong // important
	Key    // a key to press
	Good
	Bad
	Warn

	Heading     // letters and numbers at the edges of a board
	HeadingHere // the same, in the row and column of the cursor
	ChartLine   // lines between the cells of a chart
	FleetLine   // lines between the cells of a side's own board
	HullLine    // the outline of a ship
	WreckLine   // the outline of a sunk ship

	// Cells of a chart.
	Unknown
	Missed
	Deduced
	Struck
	Wrecked

	// Cells of a side's own board.
	Sea
	Splash // a shot that missed
	Spared // water that the enemy can deduce
	Hull
	HullHit
	HullSunk

	// Older shots, in matches where ships move.
	MissedOlder
	MissedOld
	StruckOlder
	StruckOld
	SplashOlder
	SplashOld

	Ghost // a ship to be placed
	Wrong // the same, at an invalid position
	Aim   // the cell of the cursor
	Blast // a shot that has just been fired

	Heat0 // the coldest of a heat map
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

// Heats is the number of styles for heat maps, beginning with Heat0.
const Heats = int(styleCount - Heat0)

// Heat returns the style of a cell of a heat map. Share is its value relative to the hottest
// cell, from 0 to 1.
func Heat(share float64) Style { return Heat0 + Style(max(0, min(Heats-1, int(share*float64(Heats))))) }

// Styled text is enclosed in the style's mark and StyleEnd. A mark has the form of a control
// sequence that is never sent to a terminal, so that functions which measure, cut or strip
// text recognize it.
const (
	markBegin = "\x1b[?"
	// StyleEnd ends a style.
	StyleEnd = "\x1b[m"
)

var marks = func() (m [styleCount]string) {
	for k := Plain + 1; k < styleCount; k++ {
		m[k] = markBegin + strconv.Itoa(int(k)) + "m"
	}
	return m
}()

// Mark returns the mark that begins text in this style. [StyleEnd] ends it. Plain has no
// mark.
func (k Style) Mark() string { return marks[k] }

// Render returns text in this style. The text must be one line without styles.
func (k Style) Render(text string) string {
	if text == "" || k == Plain {
		return text
	}
	return marks[k] + text + StyleEnd
}
