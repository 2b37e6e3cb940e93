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
	Number      int // rises from line to line, in all rooms
	At          time.Time
	From        account.Player // as the person was when they wrote it
	Text        string         // printable, at most MaxLine characters
	BySpectator bool           `json:",omitzero"`
}

// MaxLine is the greatest number of characters in a line.
const MaxLine = 80

// clean returns what remains of a line that a person has entered: printable
// characters with single spaces between words, at most MaxLine.
func clean(s string) string {
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
		case !sanitize.Visible(r):
			continue
		}
		if gap && n < MaxLine-1 {
			b.WriteByte(' ')
			n++
		} else if gap {
			break // no room for the space and what follows
		}
		gap = false
		b.WriteRune(r)
		n++
	}
	return b.String()
}
