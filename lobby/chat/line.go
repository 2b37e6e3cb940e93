package chat

import (
	"strings"
	"time"
	"unicode"

	"broadside/internal/i18n"
	"broadside/internal/sanitize"
	"broadside/lobby/account"
)

// Line is a line of a chat.
type Line struct {
	// Number grows with each line, across all rooms.
	Number int
	At     time.Time
	// From is the player at the time of writing.
	From account.Player
	// Text is printable and has at most MaxLine characters. It is empty if Remark is set.
	Text string
	// Remark is what a bot says, in the reader's language.
	Remark      i18n.Key `json:",omitzero"`
	BySpectator bool     `json:",omitzero"`
}

// TextIn returns the line's text in a language.
func (l Line) TextIn(lang i18n.Language) string {
	if l.Remark != "" {
		return lang.Text(l.Remark)
	}
	return l.Text
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
			// There is no room for a space and another character.
			break
		}
		gap = false
		b.WriteRune(r)
		n++
	}
	return b.String()
}
