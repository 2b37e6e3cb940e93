// Package text measures, cuts, pads, wraps and arranges lines of text for a terminal. They may have
// styles (see package term). It also cleans text from untrusted sources, draws large letters, and
// describes tournaments and replays.
package text

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"broadside/internal/sanitize"
	"broadside/tui/term"
)

// NameWidth is the maximum width of a player's name on a screen, in cells.
const NameWidth = 20

// Clean returns untrusted text as one line that is safe to display: without
// control characters, format characters or combining marks, and at most width cells
// wide.
func Clean(s string, width int) string {
	return ansi.Truncate(sanitize.Text(s), width, "…")
}

// CleanName returns a player's name in a form that is safe to display.
func CleanName(s string) string { return Clean(s, NameWidth) }

// Width returns the width of a line in cells.
func Width(s string) int { return term.Width(s) }

// MaxWidth returns the width of the widest line.
func MaxWidth(lines []string) int {
	width := 0
	for _, l := range lines {
		width = max(width, Width(l))
	}
	return width
}

// Spaces returns n spaces, or none if n is negative.
func Spaces(n int) string { return strings.Repeat(" ", max(0, n)) }

// Pad returns s cut or padded to exactly width cells.
func Pad(s string, width int) string {
	w := Width(s)
	if w > width {
		return ansi.Truncate(s, width, "…")
	}
	return s + Spaces(width-w)
}

// Center indents s so that it is centred in width cells.
func Center(s string, width int) string {
	return Spaces((width-Width(s))/2) + s
}

// Crop removes the parts of lines outside a screen of the given size. It changes lines.
func Crop(lines []string, width, height int) []string {
	lines = lines[:min(len(lines), height)]
	for i, l := range lines {
		if Width(l) > width {
			lines[i] = ansi.Truncate(l, width, "")
		}
	}
	return lines
}

// FirstFitting returns the first text that is at most width cells wide, or the last text if none
// is.
func FirstFitting(width int, texts ...string) string {
	for _, t := range texts[:len(texts)-1] {
		if Width(t) <= width {
			return t
		}
	}
	return texts[len(texts)-1]
}

// Stack returns blocks of lines one below the other, with gap blank lines between them.
func Stack(gap int, blocks ...[]string) (all []string) {
	for i, block := range blocks {
		if i > 0 {
			all = append(all, make([]string, gap)...)
		}
		all = append(all, block...)
	}
	return all
}

// JoinColumns returns blocks of lines side by side, with gap columns between them. An empty first or last
// block makes a margin.
func JoinColumns(gap int, blocks ...[]string) []string {
	height := 0
	widths := make([]int, len(blocks))
	for i, block := range blocks {
		height, widths[i] = max(height, len(block)), MaxWidth(block)
	}
	all := make([]string, height)
	parts := make([]string, 0, 3*len(blocks))
	for y := range all {
		parts = parts[:0]
		for i, block := range blocks {
			line := ""
			if y < len(block) {
				line = block[y]
			}
			if i > 0 {
				parts = append(parts, Spaces(gap))
			}
			parts = append(parts, line)
			if i < len(blocks)-1 {
				parts = append(parts, Spaces(widths[i]-Width(line)))
			}
		}
		all[y] = strings.Join(parts, "")
	}
	return all
}

// Wrap breaks text without styles into lines of at most width cells.
func Wrap(s string, width int) []string {
	return strings.Split(ansi.Wordwrap(s, width, " "), "\n")
}

// WrapStyled breaks a line into lines of at most width cells. It ends a style at each
// break and restarts it on the next line.
func WrapStyled(l string, width int) []string {
	parts := strings.Split(ansi.Wrap(l, width, " "), "\n")
	style := ""
	for i, part := range parts {
		part = style + strings.TrimLeft(part, " ")
		if i == 0 {
			part = parts[0]
		}
		style = term.UnclosedStyle(part)
		if style != "" {
			part += term.StyleEnd
		}
		parts[i] = part
	}
	return parts
}
