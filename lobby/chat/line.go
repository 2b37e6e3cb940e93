package chat

import (
	"strings"
	"time"
	"unicode"

	"broadside/internal/sanitize"
	"broadside/lobby/account"
)

// Line is a line of a chat.
type Line struct {
	Number      int // grows with each line, across all rooms
	At          time.Time
	From        account.Player // the player at the time of writing
	Text        string         // printable, at most MaxLine characters
	BySpectator bool           `json:",omitzero"`
}

// MaxLine is the maximum length of a line in characters.
const MaxLine = 80

// cleanLine returns the text of an entered line: its printable characters, with single spaces
// between words, at most MaxLine.
func cleanLine(s string) string {
	var b strings.Builder
	n, gap := 0, false
	for i, r := range s {
		if i > 64*MaxLine || n == MaxLine {
			break
		}
		switch {
		case unicode.IsSpace(r):
			gap = n > 0
			continue
		case !sanitize.IsVisible(r):
			continue
		}
		if gap && n < MaxLine-1 {
			b.WriteByte(' ')
			n++
		} else if gap {
			break // no room for a space and another character
		}
		gap = false
		b.WriteRune(r)
		n++
	}
	return b.String()
}
