package widget

import (
	"strings"

	"broadside/internal/store"
	"broadside/tui/term"
)

// RecentResults returns a sign for each outcome: a full circle for a win, an empty one for a loss. The
// outcomes are newest first, and the newest sign is on the right.
func RecentResults(outcomes []store.Outcome) string {
	var b strings.Builder
	for i := len(outcomes) - 1; i >= 0; i-- {
		switch outcomes[i] {
		case store.Won:
			b.WriteString(term.Good.Render("●"))
		case store.Drawn:
			b.WriteString(term.Faint.Render("·"))
		default:
			b.WriteString(term.Faint.Render("○"))
		}
		if i > 0 {
			b.WriteByte(' ')
		}
	}
	return b.String()
}
