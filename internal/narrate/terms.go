package narrate

import (
	"fmt"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/match"
)

// MinutesAndSeconds formats a duration as minutes and seconds, rounded up. Negative durations are
// 0:00.
func MinutesAndSeconds(d time.Duration) string {
	s := int((max(0, d) + time.Second - 1) / time.Second)
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// TimeLeft describes the time that is left: whole minutes, and seconds in the last one.
func TimeLeft(l i18n.Language, d time.Duration) string {
	if d <= time.Minute {
		return MinutesAndSeconds(d)
	}
	return l.Text("%d min", int((d+time.Minute-1)/time.Minute))
}

// NextTimeLeftChange returns when [TimeLeft] changes for a time d, which must be positive.
func NextTimeLeftChange(d time.Duration) time.Duration {
	unit := time.Second
	if d > time.Minute {
		unit = time.Minute
	}
	return (d-1)%unit + 1
}

// ClockSetting describes a turn clock as a setting: off, or its seconds.
func ClockSetting(l i18n.Language, d time.Duration) string {
	if d == 0 {
		return l.Text("off")
	}
	return l.Text("%d second||%d seconds", int(d/time.Second))
}

// DurationInMinutes describes roughly how long an activity has lasted.
func DurationInMinutes(l i18n.Language, d time.Duration) string {
	if d < time.Minute {
		return l.Text("less than a minute")
	}
	return l.Text("%d minute||%d minutes", int(d/time.Minute))
}

var contacts = map[match.Contact]i18n.Key{
	match.TouchNone: "no contact", match.TouchCorners: "corners may touch", match.TouchAny: "ships may touch",
}

// RulesSummary summarizes a rule set.
func RulesSummary(l i18n.Language, r match.Rules) string {
	return l.Text("%s: %s, %s", r.Name, l.Text("%d ship||%d ships", len(r.Fleet)), strings.Join(Traits(l, r), ", "))
}

// Traits describes how close ships may be, whether they move, and whether players fire
// salvos.
func Traits(l i18n.Language, r match.Rules) []string {
	all := []string{l.Text(contacts[r.Contact])}
	if r.Moving {
		all = append(all, l.Text("ships move"))
	}
	if r.Salvo {
		all = append(all, l.Text("salvos"))
	}
	return all
}

// MatchTerms describes the rules and the clock of a match briefly.
func MatchTerms(l i18n.Language, r match.Rules) string {
	if r.Clock == 0 {
		return l.Text("%s, no clock", r.Name)
	}
	return l.Text("%s, %s per shot", r.Name, MinutesAndSeconds(r.Clock))
}

// Percent returns a share from 0 to 1 in percent, as accuracies and odds are shown
// everywhere.
func Percent(l i18n.Language, share float64) string {
	return l.Text("%s%%", l.Text("%.0f", 100*share))
}

// ExactPercent returns a share from 0 to 1 in percent with one decimal.
func ExactPercent(l i18n.Language, share float64) string {
	return l.Text("%s%%", l.Text("%.1f", 100*share))
}
