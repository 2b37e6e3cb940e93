// Package sanitize makes text from outside safe to store, display and log: names, chat,
// files, lines of protocols, pastes. Limits of length are with what they limit.
package sanitize

import (
	"strings"
	"unicode"
)

// Text returns s without the characters that are not [Visible], line feeds included.
func Text(s string) string {
	return strings.Map(func(r rune) rune {
		if !Visible(r) {
			return -1
		}
		return r
	}, s)
}

// Visible reports whether a character takes a place of its own on a screen, or is a
// space. It is false for control and format characters, combining marks, characters that
// fonts show as nothing, and the replacement for what is not UTF-8.
func Visible(r rune) bool {
	const blankBraille = '\u2800' // is printable, but looks like nothing
	return r != unicode.ReplacementChar && r != blankBraille && unicode.IsPrint(r) &&
		!unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point)
}

var lineEndings = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Newlines returns s with every CR LF and every lone CR replaced by a line feed, so that
// line numbers stay the same. Terminals send a carriage return between pasted lines, and
// files come from all kinds of systems.
func Newlines(s string) string { return lineEndings.Replace(s) }
