// Package screen has the screens outside matches. There
// is one file per screen. The lobby is in package lobby, below this one.
package screen

import (
	"slices"
	"time"

	"broadside/internal/i18n"
	"broadside/lobby"
	"broadside/match"
	"broadside/tui/term"
	"broadside/tui/widget"
)

// NextPreset returns the preset's name after name.
func NextPreset(name string) string {
	all := match.PresetNames()
	return all[widget.Cycle(slices.Index(all, name), 1, len(all))]
}

// timeAgo returns a short text for the time since t.
func timeAgo(l i18n.Language, t time.Time) string {
	switch d := time.Since(t); {
	case d < time.Minute:
		return l.Text("now")
	case d < time.Hour:
		return l.Text("%d min", int(d/time.Minute))
	case d < 48*time.Hour:
		return l.Text("%d h", int(d/time.Hour))
	case d < 100*24*time.Hour:
		return l.Text("%d day||%d days", int(d/(24*time.Hour)))
	}
	return l.ShortDate(t)
}

// SpectatorsText returns the number of spectators of a match as text, or "" if there are
// none.
func SpectatorsText(l i18n.Language, r *lobby.RunningMatch) string {
	if r == nil || r.Watching == 0 {
		return ""
	}
	return term.Faint.Render(l.Text("%d watching||%d watching", r.Watching))
}
