package narrate

import (
	"fmt"
	"strings"
	"time"

	"broadside/internal/i18n"
	"broadside/match"
)

// MinutesAndSeconds formats a duration as minutes and seconds, such as 2:05, rounded up. Negative durations are
// 0:00.
func MinutesAndSeconds(d time.Duration) string {
	s := int((max(0, d) + time.Second - 1) / time.Second)
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

// TimeLeft formats the time that is left: days and hours, whole hours, whole minutes, and seconds in the last
// minute.
func TimeLeft(l i18n.Language, d time.Duration) string {
	hours := int((d + time.Hour - 1) / time.Hour)
	switch {
	case d <= time.Minute:
		return MinutesAndSeconds(d)
	case d <= maxMinutes:
		return l.Text("%d min", int((d+time.Minute-1)/time.Minute))
	case hours < 24:
		return l.Text("%d h", hours)
	}
	return l.Text("%d d %d h", hours/24, hours%24)
}

// maxMinutes is the longest time that [TimeLeft] formats in minutes.
const maxMinutes = 2 * time.Hour

// NextTimeLeftChange returns the time after which the text of [TimeLeft] for d changes. d must be positive.
func NextTimeLeftChange(d time.Duration) time.Duration {
	unit := time.Second
	switch {
	case d > maxMinutes:
		unit = time.Hour
	case d > time.Minute:
		unit = time.Minute
	}
	return (d-1)%unit + 1
}

// DayCount returns a pace of correspondence matches in days.
func DayCount(pace time.Duration) int { return int(pace / (24 * time.Hour)) }

// ClockSetting formats a turn clock as a setting: off, or the number of seconds.
func ClockSetting(l i18n.Language, d time.Duration) string {
	if d == 0 {
		return l.Text("off")
	}
	return l.Text("%d second||%d seconds", int(d/time.Second))
}

// UsualWait returns a sentence about how long players have waited for an opponent.
func UsualWait(l i18n.Language, d time.Duration) string {
	if d >= 2*time.Minute {
		return l.Text("In the last hour, players waited about %s.", DurationInMinutes(l, d))
	}
	return l.Text("In the last hour, players waited about %d s.", max(1, int(d.Round(time.Second)/time.Second)))
}

// DurationInMinutes formats a duration in whole minutes, rounded down.
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
	return l.Text("%s: %s, %s", r.Name, l.Text("%d ship||%d ships", len(r.Fleet)), strings.Join(RuleTraits(l, r), ", "))
}

// RuleTraits says how close ships may be, whether they move, and whether players fire salvos.
func RuleTraits(l i18n.Language, r match.Rules) []string {
	all := []string{l.Text(contacts[r.Contact])}
	if r.Moving {
		all = append(all, l.Text("ships move"))
	}
	if r.Salvo {
		all = append(all, l.Text("salvos"))
	}
	return all
}

// MatchTerms names a match's rules and its clock.
func MatchTerms(l i18n.Language, r match.Rules) string {
	if r.Clock == 0 {
		return l.Text("%s, no clock", r.Name)
	}
	return l.Text("%s, %s per shot", r.Name, MinutesAndSeconds(r.Clock))
}

// Percent formats a share from 0 to 1 in whole percent, as accuracies and odds are shown everywhere.
func Percent(l i18n.Language, share float64) string {
	return l.Text("%s%%", l.Text("%.0f", 100*share))
}

// PercentWithDecimal formats a share from 0 to 1 in percent with one decimal.
func PercentWithDecimal(l i18n.Language, share float64) string {
	return l.Text("%s%%", l.Text("%.1f", 100*share))
}
