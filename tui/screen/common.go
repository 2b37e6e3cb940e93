package screen

import (
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/internal/term"
	"broadside/match"
	"broadside/tui/component"
)

// chooseKey selects an item of a list.
var chooseKey = component.Bind("↑↓", "choose", "")

// back returns the binding that leaves a screen, by esc or other keys.
func back(keys component.Keys) key.Binding { return component.Bind("esc", "back", "esc "+keys) }

// openIfStored opens a screen that shows records, if the server keeps any.
func openIfStored(env *component.Env, s component.Screen) tea.Cmd {
	if !env.Session.HasStore() {
		env.Notice = env.Lang.Text("this-server-keeps-no-records")
		return nil
	}
	return env.Open(s)
}

// indexOfDigit returns the index in a list of n items that a key from 1 to 9 names; false
// for other keys. A number that is not in the list gets a notice.
func indexOfDigit(env *component.Env, msg tea.KeyPressMsg, n int) (int, bool) {
	k := msg.String()
	if !component.IsDigit(k) {
		return 0, false
	}
	at := int(k[0]) - '1'
	if at < 0 || at >= n {
		env.Notice = env.Lang.Text("there-is-no-number-x", k)
		return 0, false
	}
	return at, true
}

// nextPreset returns the name of the rule set after another one.
func nextPreset(name string) string {
	all := match.Presets()
	for i, n := range all {
		if n == name {
			return all[(i+1)%len(all)]
		}
	}
	return all[0]
}

// ago says in a few characters how long ago something was.
func ago(l i18n.Language, t time.Time) string {
	switch d := time.Since(t); {
	case d < time.Minute:
		return l.Text("now")
	case d < time.Hour:
		return l.Text("n-min", int(d/time.Minute))
	case d < 48*time.Hour:
		return l.Text("%d h", int(d/time.Hour))
	case d < 100*24*time.Hour:
		return l.Text("n-days", int(d/(24*time.Hour)))
	}
	return l.Day(t)
}

// mark returns what stands before an item of a list: a pointer if it is selected.
func mark(selected bool) string {
	if selected {
		return "▸ "
	}
	return "  "
}

// spectators says how many people watch a match, if any do.
func spectators(l i18n.Language, r *session.Running) string {
	if r == nil || r.Watching == 0 {
		return ""
	}
	return term.Faint.Render("  " + l.Text("n-watching", r.Watching))
}
