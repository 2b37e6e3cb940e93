package term

import (
	"strconv"
	"strings"

	"broadside/tui/term/colour"
)

// Style is the purpose of a piece of text. Themes define its appearance.
type Style uint8

// The styles. Each mark of a board has its own.
const (
	// Plain is text without emphasis.
	Plain Style = iota

	// Bar is the title bar, and Title the name in it.
	Bar
	Title
	// Faint is less important than Plain, and Strong more.
	Faint
	Strong
	// Key is a key to press, in text and menus.
	Key
	// Cap is a key cap or a button.
	Cap
	// Chip tells whose turn it is.
	Chip
	// Mark tells where the player is: focused titles and the cursor's coordinates.
	Mark
	// Info is a sender of chat.
	Info
	// Rule is a thin line beside a title.
	Rule
	Good
	Bad
	Warn

	// Heading is a letter or number at a board's edge, and HeadingHere one in the cursor's row or column.
	Heading
	HeadingHere

	// Cells of a chart.
	Unknown
	Missed
	Deduced
	Struck
	Wrecked

	// Cells of a side's own board.
	Sea
	// Splash is a shot that missed.
	Splash
	// Spared is water that the enemy can deduce.
	Spared
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

	// Ghost is a ship to be placed, and Wrong one at an invalid position.
	Ghost
	Wrong
	// Aim is the cursor's cell.
	Aim

	// Heat0 is the coldest style of a heat map.
	Heat0
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

// HeatCount is the number of styles for heat maps, from Heat0.
const HeatCount = int(styleCount - Heat0)

// HeatStyle returns the style of a heat map's cell. Share is the cell's value relative to the hottest
// one, from 0 to 1.
func HeatStyle(share float64) Style {
	return Heat0 + Style(max(0, min(HeatCount-1, int(share*float64(HeatCount)))))
}

// Pen is the appearance of text: its colours, and whether it is bold. Without a background,
// text has that of its surface.
type Pen struct {
	Text, Ground colour.Name
	Bold         bool
}

var pens = [styleCount]Pen{
	Bar: {colour.OnBar, colour.Bar, false}, Title: {colour.OnBar, colour.Bar, true},
	Faint: {Text: colour.Muted}, Strong: {Bold: true}, Key: {Text: colour.Info, Bold: true},
	Cap: {colour.OnKey, colour.Key, true}, Chip: {colour.OnAccent, colour.Accent, true},
	Mark: {Text: colour.Mark, Bold: true}, Info: {Text: colour.Info}, Rule: {Text: colour.Rule},
	Good: {Text: colour.Good}, Bad: {Text: colour.Bad}, Warn: {Text: colour.Info, Bold: true},
	Heading: {Text: colour.Muted}, HeadingHere: {Text: colour.Mark},

	Unknown: {colour.Wave, colour.Sea, false}, Missed: {colour.OnMiss, colour.Miss, true},
	Deduced: {colour.OnDeduced, colour.Deduced, false}, Struck: {colour.OnHit, colour.Hit, true},
	Wrecked: {colour.OnSunk, colour.Sunk, true},

	Sea: {colour.OwnWave, colour.Own, false}, Splash: {colour.OnSplash, colour.Splash, true},
	Spared: {colour.OnSpared, colour.Spared, false}, Hull: {colour.OnShip, colour.Ship, true},
	HullHit: {colour.OnHit, colour.Hit, true}, HullSunk: {colour.OnSunk, colour.Sunk, true},

	MissedOlder: {colour.OnMissOlder, colour.MissOlder, false}, MissedOld: {colour.OnMissOld, colour.MissOld, true},
	StruckOlder: {colour.OnHitOlder, colour.HitOlder, true}, StruckOld: {colour.OnHitOld, colour.HitOld, true},
	SplashOlder: {colour.OnSplashOlder, colour.SplashOlder, false}, SplashOld: {colour.OnSplashOld, colour.SplashOld, true},

	Ghost: {colour.OnGhost, colour.Ghost, true}, Wrong: {colour.OnWrong, colour.Wrong, true}, Aim: {colour.OnAim, colour.Aim, true},

	Heat0: {colour.OnCold, colour.Heat0, true}, Heat1: {colour.OnCold, colour.Heat1, true}, Heat2: {colour.OnCold, colour.Heat2, true},
	Heat3: {colour.OnCold, colour.Heat3, true}, Heat4: {colour.OnCold, colour.Heat4, true}, Heat5: {colour.OnCold, colour.Heat5, true},
	Heat6: {colour.OnHot, colour.Heat6, true}, Heat7: {colour.OnHot, colour.Heat7, true}, Heat8: {colour.OnHot, colour.Heat8, true},
}

// Pen returns the style's appearance. Colours that the style does not define are None.
func (s Style) Pen() Pen { return pens[s] }

// Styled text is enclosed in a pen's mark and StyleEnd. A mark has the form of a control sequence
// that is never sent to a terminal, so functions that measure, cut or strip text
// recognize it. A surface's mark has one number. A pen's mark has the numbers of its two colours,
// followed by 1 if the pen is bold.
const (
	markStart = "\x1b[?"
	// StyleEnd ends a style or a pen.
	StyleEnd = "\x1b[m"
)

var marks = func() (m [styleCount]string) {
	for k := Plain + 1; k < styleCount; k++ {
		m[k] = string(pens[k].AppendMark(nil))
	}
	return m
}()

// parseMark returns the numbers in the mark at the start of a text, how many they are, and the
// mark's length, which is 0 if there is none.
func parseMark(s string) (numbers [3]int, n, length int) {
	if !strings.HasPrefix(s, markStart) {
		return numbers, 0, 0
	}
	for i := len(markStart); i < len(s) && i < len(markStart)+len("100;100;1m"); i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			numbers[n] = 10*numbers[n] + int(c-'0')
		case c == ';' && n < len(numbers)-1:
			n++
		case c == 'm':
			return numbers, n + 1, i + 1
		default:
			return numbers, 0, 0
		}
	}
	return numbers, 0, 0
}

// StartMark returns the mark before text in this style. [StyleEnd] ends the text. Plain has no
// mark.
func (s Style) StartMark() string { return marks[s] }

// Render returns text in this style. The text must be one line without styles.
func (s Style) Render(text string) string {
	if text == "" || s == Plain {
		return text
	}
	return marks[s] + text + StyleEnd
}

// AppendMark appends the mark before text with this pen to b. [StyleEnd] ends the text.
func (p Pen) AppendMark(b []byte) []byte {
	b = strconv.AppendInt(append(b, markStart...), int64(p.Text), 10)
	b = strconv.AppendInt(append(b, ';'), int64(p.Ground), 10)
	if p.Bold {
		b = append(b, ";1"...)
	}
	return append(b, 'm')
}

// Render returns text with this pen. The text must be one line without styles.
func (p Pen) Render(text string) string { return string(p.AppendMark(nil)) + text + StyleEnd }
