// Package sanitize removes unsafe characters from external text, such as names, chat, files and pastes, before
// it is stored, shown or logged. Callers limit the length.
package sanitize

import (
	"strconv"
	"strings"
	"unicode"
)

// Text returns s without the characters that are not visible, line feeds included. See [IsVisible]. No-break
// spaces become spaces.
func Text(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\u00a0' {
			return ' '
		}
		if !IsVisible(r) {
			return -1
		}
		return r
	}, s)
}

// IsVisible reports whether a character occupies its own cell on a screen. It is false for control and format
// characters, combining marks, characters without a glyph, and the replacement character of invalid UTF-8.
func IsVisible(r rune) bool {
	// This character is printable, but blank.
	const blankBraille = '\u2800'
	return r != unicode.ReplacementChar && r != blankBraille && unicode.IsPrint(r) &&
		!unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
}

// HasOnlyAlphanumerics reports whether s has only ASCII letters, digits and the characters in others.
func HasOnlyAlphanumerics(s, alsoAllowed string) bool {
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"+alsoAllowed) == ""
}

var lineEndings = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// NormalizeNewlines returns s with a line feed instead of every CR LF and every lone CR, which keeps line
// numbers. Terminals send a carriage return between pasted lines.
func NormalizeNewlines(s string) string { return lineEndings.Replace(s) }

// QuoteTruncated returns s in quotes, in ASCII and with escapes such as \x00. A result of more than most bytes
// is truncated and ends with "...".
func QuoteTruncated(s string, most int) string {
	quoted := strconv.QuoteToASCII(s)
	for len(quoted) > most && s != "" {
		s = s[:len(s)-1]
		quoted = strconv.QuoteToASCII(s) + "..."
	}
	return quoted
}
