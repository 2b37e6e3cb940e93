// Package newline makes line endings uniform. Terminals send a carriage return
// between pasted lines, and files come from all kinds of systems.
package newline

import "strings"

var endings = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// Normalize returns text with every CR LF and every lone CR replaced by a line
// feed, so that line numbers stay the same.
func Normalize(text string) string { return endings.Replace(text) }
