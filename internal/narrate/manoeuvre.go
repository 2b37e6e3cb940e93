package narrate

import (
	"broadside/internal/i18n"
	"broadside/match"
)

// Manoeuvre returns the name of a manoeuvre.
func Manoeuvre(m match.Manoeuvre) i18n.Key {
	return [match.Manoeuvres]i18n.Key{"forward", "backward", "clockwise", "anticlockwise"}[m]
}
