package widget

import (
	"broadside/internal/i18n"
	"broadside/internal/narrate"
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/text"
)

// Report describes a match event, as a sentence and in a few words.
type Report struct {
	Full, Brief i18n.Message
	Style       term.Style // of Full
}

// FullReport returns a report without a shorter form.
func FullReport(full i18n.Message) Report { return Report{Full: full, Brief: full} }

// shotReport reports a shot; see [narrate.Shot].
func shotReport(shooter string, e match.Event, auto bool) Report {
	return Report{narrate.Shot(shooter, e.Cell, e.Result, auto), narrate.Briefly(shooter, e.Cell, e.Result), styleOf(shooter, e.Result)}
}

// salvoReport reports the shots of a turn; see [narrate.Salvo].
func salvoReport(shooter string, shots []match.Shot, auto bool) Report {
	return Report{narrate.Salvo(shooter, shots, auto), narrate.SalvoBriefly(shooter, shots), styleOf(shooter, shots[0].Result)}
}

// styleOf returns the style of a report of a shot: good for the player, who is the shooter
// without a name, or bad.
func styleOf(shooter string, r match.Result) term.Style {
	switch {
	case r == match.Water:
		return term.Plain
	case shooter == "":
		return term.Good
	}
	return term.Bad
}

// BattleBegun reports that the battle has begun.
func BattleBegun() Report { return FullReport(i18n.NewMessage("The battle begins.")) }

// PresenceReport reports that a player has disconnected or returned.
func PresenceReport(name string, away bool) Report {
	full := narrate.Presence(name, away)
	if !away {
		return FullReport(full)
	}
	return Report{Full: full, Brief: i18n.NewMessage("%s is away.", name)}
}

// DisputeReport reports that a player's answers contradict each other.
func DisputeReport(name string) Report {
	return FullReport(narrate.Disputed(name))
}

// Reports are the latest match events, oldest first.
type Reports []Report

// maxReports is the maximum number of reports.
const maxReports = 3

// RecentShots reports each side's last shots, for a player who missed them. The
// player's own side has an empty name.
func RecentShots(v *match.View, names [2]string) (r Reports) {
	for _, side := range [2]match.Side{v.Turn, v.Turn.Other()} { // the older one first
		switch shots := v.Last[side]; len(shots) {
		case 0:
		case 1:
			r.Add(shotReport(names[side], match.Event{Cell: shots[0].Cell, Result: shots[0].Result}, false))
		default:
			r.Add(salvoReport(names[side], shots, false))
		}
	}
	return r
}

// Add adds a report.
func (r *Reports) Add(report Report) {
	*r = append(*r, report)
	if len(*r) > maxReports {
		*r = (*r)[1:]
	}
}

// AddShots reports the shots that event n answers, unless an earlier event did.
func (r *Reports) AddShots(shooter string, events []match.Event, n int, auto bool) {
	switch shots := match.Volley(events[n:]); {
	case match.InVolley(events, n):
	case len(shots) > 1:
		r.Add(salvoReport(shooter, shots, auto))
	default:
		r.Add(shotReport(shooter, events[n], auto))
	}
}

// Lines returns the reports, newest first. The number of lines does not depend on the number of
// reports.
func (r Reports) Lines(l i18n.Language) []string {
	lines := make([]string, 0, maxReports)
	for i := len(r) - 1; i >= 0; i-- {
		lines = append(lines, r[i].Style.Render(r[i].Full.In(l)))
	}
	for range maxReports - len(r) {
		lines = append(lines, "")
	}
	return lines
}

// Brief returns the last two reports in brief if they fit into width, otherwise the
// last one.
func (r Reports) Brief(l i18n.Language, width int) string {
	if len(r) == 0 {
		return ""
	}
	last := r[len(r)-1]
	brief := last.Brief.In(l)
	if len(r) > 1 {
		if two := r[len(r)-2].Brief.In(l) + " · " + brief; text.Width(two) <= width {
			return two
		}
	}
	if full := last.Full.In(l); text.Width(full) <= width {
		return full
	}
	return brief
}
