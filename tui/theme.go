package tui

import (
	"strings"
	"sync"

	"charm.land/lipgloss/v2"

	"broadside/match"
)

// glyphs. Every state of a cell has its own, so that nothing is told by colour
// alone; they mean the same on both boards.
const (
	glyphNothing = "·" // unknown, or plain sea
	glyphMiss    = "○" // a shot into the water
	glyphDeduced = "-" // water by deduction, not shot at
	glyphHull    = "■" // a ship
	glyphHit     = "X" // a ship's cell, hit
	glyphSunk    = "#" // a sunk ship
	glyphGhost   = "□" // where the ship in hand would lie
	glyphWrong   = "!" // where it must not lie
)

// frameKind is what surrounds a cell's glyph.
type frameKind uint8

const (
	plain     frameKind = iota
	last                // the last shot: ‹X›
	cursor              // where the cursor is: [X]
	small               // a cell of a small board
	smallLast           // the last shot there: X‹
	frames
)

// theme is the look of everything, made once for all sessions and never
// changed. The renderer of each session adapts the colours to its terminal.
type theme struct {
	chart [match.Wrecked + 1][frames]string
	board [match.HullSunk + 1][frames]string
	ghost [2]string // legal, illegal

	bar, title, faint, strong, key, good, bad, warn ink
}

// ink is the style of words. It has no more than colours and attributes, so it
// is two sequences around them, made once.
type ink struct{ open string }

func inkOf(s lipgloss.Style) ink {
	open, _, _ := strings.Cut(s.Render("x"), "x")
	return ink{open}
}

// Render is text in this style. It must be on one line and have no style yet.
func (k ink) Render(text string) string {
	if text == "" {
		return ""
	}
	return k.open + text + endStyle
}

const endStyle = "\x1b[m"

// The colours of the documented client.
const (
	grey      = "#8a8a8a"
	darkGrey  = "#3a3a3a"
	lightGrey = "#d0d0d0"
	blue      = "#2f6fb3"
	lightBlue = "#9fd0ee"
	darkBlue  = "#173f73"
	red       = "#c8322b"
	white     = "#ffffff"
	black     = "#101010"
)

var looks = sync.OnceValue(func() *theme {
	t := &theme{
		bar:    inkOf(style(white, darkBlue)),
		title:  inkOf(style(white, darkBlue).Bold(true)),
		faint:  inkOf(lipgloss.NewStyle().Faint(true)),
		strong: inkOf(lipgloss.NewStyle().Bold(true)),
		key:    inkOf(lipgloss.NewStyle().Bold(true)),
		good:   inkOf(lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("#3fa34d"))),
		bad:    inkOf(lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("#e0574f"))),
		warn:   inkOf(lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("#d7a021"))),
	}
	t.chart = [...][frames]string{
		match.Unknown: cells(style(black, grey), glyphNothing),
		match.Missed:  cells(style(white, blue), glyphMiss),
		match.Deduced: cells(style(lightBlue, blue), glyphDeduced),
		match.Struck:  cells(style(white, red).Bold(true), glyphHit),
		match.Wrecked: cells(style(lightGrey, darkGrey).Bold(true), glyphSunk),
	}
	t.board = [...][frames]string{
		match.Sea:      cells(style(darkBlue, lightBlue), glyphNothing),
		match.Splash:   cells(style(white, darkBlue), glyphMiss),
		match.Hull:     cells(style(black, lightGrey), glyphHull),
		match.HullHit:  cells(style(white, red).Bold(true), glyphHit),
		match.HullSunk: cells(style(lightGrey, darkGrey).Bold(true), glyphSunk),
	}
	t.ghost = [2]string{
		style(black, "#b8e0a0").Bold(true).Render(" " + glyphGhost + " "),
		style(white, "#9b2fae").Bold(true).Render(" " + glyphWrong + " "),
	}
	return t
})

func style(fg, bg string) lipgloss.Style {
	return lipgloss.NewStyle().Foreground(lipgloss.Color(fg)).Background(lipgloss.Color(bg))
}

func cells(s lipgloss.Style, glyph string) (out [frames]string) {
	out[plain] = s.Render(" " + glyph + " ")
	out[last] = s.Render("‹" + glyph + "›")
	out[small] = s.Render(glyph + " ")
	out[smallLast] = s.Render(glyph + "‹")
	out[cursor] = s.Reverse(true).Bold(true).Render("[" + glyph + "]")
	return out
}
