package narrate

import "broadside/internal/i18n"

// Percent returns a share from 0 to 1 in percent, as accuracies and odds are shown
// everywhere.
func Percent(l i18n.Language, share float64) string {
	return l.Text("%s%%", l.Text("%.0f", 100*share))
}

// ExactPercent returns a share from 0 to 1 in percent with one decimal.
func ExactPercent(l i18n.Language, share float64) string {
	return l.Text("%s%%", l.Text("%.1f", 100*share))
}
