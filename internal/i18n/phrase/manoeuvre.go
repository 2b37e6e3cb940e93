package phrase

import (
	"broadside/internal/i18n"
	"broadside/match"
)

// Manoeuvre returns the name of a manoeuvre.
func Manoeuvre(m match.Manoeuvre) i18n.Text {
	return [match.Manoeuvres]i18n.Text{"forward", "backward", "clockwise", "anticlockwise"}[m]
}
