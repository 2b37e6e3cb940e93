package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"broadside/match"
)

// loader is a screen that reads from the store before it has anything to show.
// It is not left for another one while it reads, other than for good.
type loader interface {
	screen
	load(m *Model) tea.Cmd
}

// visitShelf shows a screen that reads from the store.
func (m *Model) visitShelf(s loader) tea.Cmd {
	if !m.own.HasStore() {
		m.notice = m.lang.Say("This server keeps no records.")
		return nil
	}
	m.screen = s
	return s.load(m)
}

// comeBack shows the screen from which another one was opened; nil is the
// lobby.
func (m *Model) comeBack(to screen) {
	if to == nil {
		m.toLobby("")
		return
	}
	m.screen = to
}

// move is where a cursor in a list of n goes by a key; false if the key does
// not move it.
func move(key string, at, n, page int) (int, bool) {
	switch key {
	case "up", "k":
		at--
	case "down", "j":
		at++
	case "pgup":
		at -= page
	case "pgdown":
		at += page
	case "home":
		at = 0
	case "end":
		at = n - 1
	default:
		return at, false
	}
	return max(0, min(at, n-1)), true
}

// ordinal returns the place in a list of n items, counted from 0, that a key from
// 1 to 9 names; false for other keys. A number that is not in the list gets a
// notice.
func (m *Model) ordinal(key string, n int) (int, bool) {
	if len(key) != 1 || key < "0" || key > "9" {
		return 0, false
	}
	at := int(key[0]) - '1'
	if at < 0 || at >= n {
		m.notice = m.lang.Say("There is no number %s in this list.", key)
		return 0, false
	}
	return at, true
}

// nextPreset is the name of the rule set after another one.
func nextPreset(name string) string {
	all := match.Presets()
	for i, n := range all {
		if n == name {
			return all[(i+1)%len(all)]
		}
	}
	return all[0]
}

// ago is how long ago something was, in a few characters.
func (m *Model) ago(t time.Time) string {
	switch d := time.Since(t); {
	case d < time.Minute:
		return m.lang.Say("now")
	case d < time.Hour:
		return m.lang.Say("%d min", int(d/time.Minute))
	case d < 48*time.Hour:
		return m.lang.Say("%d h", int(d/time.Hour))
	case d < 100*24*time.Hour:
		return m.lang.Say("%d days", int(d/(24*time.Hour)))
	}
	return m.lang.Day(t)
}
