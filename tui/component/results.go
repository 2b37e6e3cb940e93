package component

import (
	"strings"

	"broadside/internal/session"
	"broadside/internal/term"
)

// Form returns the last results, the newest on the right: a full circle for a win, an empty
// one for a loss. Outcomes are newest first.
func Form(outcomes []session.GameResult) string {
	var b strings.Builder
	for i := len(outcomes) - 1; i >= 0; i-- {
		switch outcomes[i] {
		case session.Won:
			b.WriteString(term.Good.Render("●"))
		case session.Drawn:
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
