package term

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the number of cells that a line occupies on a screen. It is fast for typical
// lines, and measures others with package ansi.
func Width(s string) int {
	n := 0
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c >= ' ' && c < 0x7f:
			n++
			i++
		case c == '\x1b' && i+1 < len(s) && s[i+1] == '[':
			for i += 2; i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == ';' || s[i] == '?'); i++ {
			}
			if i == len(s) || s[i] != 'm' {
				return ansi.StringWidth(s)
			}
			i++
		case c == 0xe2 && i+2 < len(s) && (s[i+1] == 0x94 || s[i+1] == 0x95) && s[i+2]&0xc0 == 0x80, // ─ to ╿
			c == 0xe2 && i+2 < len(s) && s[i+1] == 0x96 && s[i+2]&0xe0 == 0x80: // ▀ to ▟
			n++
			i += 3
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			if !isSingleWidth(r) {
				return ansi.StringWidth(s)
			}
			n++
			i += size
		default:
			return ansi.StringWidth(s)
		}
	}
	return n
}

// isSingleWidth reports whether a non-ASCII character is one cell wide, next to any other such
// character.
func isSingleWidth(r rune) bool {
	switch {
	case r >= 0xa1 && r <= 0x24f: // letters of Europe
		// These are shown as emoji or not at all.
		return r != 0xa9 && r != 0xad && r != 0xae
	case r >= 0x2010 && r <= 0x2026: // dashes, quotation marks, dots
		return true
	case r == '‹' || r == '›' || r >= 0x2190 && r <= 0x2193: // arrows
		return true
	case r >= 0x2500 && r <= 0x259f: // lines and blocks
		return true
	}
	switch r {
	case '■', '□', '▲', '▼', '○', '●', '▸', '◂', '►', '◄', '≈', '✓':
		return true
	}
	return false
}
