package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"

	"broadside/internal/i18n"
	"broadside/internal/term"
	"broadside/tui/component"
	"broadside/tui/format"
)

// maxCaps is the maximum number of keys in the bottom bar.
const maxCaps = 7

// bottomBar returns the last line of the screen, which has as many bindings as fit, each
// a button. Help is dropped last because it lists all of them.
func (m *Model) bottomBar(bindings []key.Binding, line int) string {
	const gap = 2
	shown := fitting(m.env.Lang, bindings, m.width, gap)
	width := -gap
	for _, b := range shown {
		width += gap + capWidth(m.env.Lang, b)
	}
	left := max(0, (m.width-width)/2)
	var bar strings.Builder
	bar.WriteString(format.Spaces(left))
	for i, b := range shown {
		if i > 0 {
			bar.WriteString(format.Spaces(gap))
			left += gap
		}
		if keys := b.Keys(); len(keys) > 0 {
			m.frame.zones = append(m.frame.zones, component.Zone{Line: line, Left: left, Width: capWidth(m.env.Lang, b), Key: keys[0]})
		}
		h := b.Help()
		bar.WriteString(component.Cap(m.env.Lang.Label(h.Key)) + " " + term.Faint.Render(m.env.Lang.Label(h.Desc)))
		left += capWidth(m.env.Lang, b)
	}
	return bar.String()
}

// capWidth returns the width of a binding in the bottom bar.
func capWidth(l i18n.Language, b key.Binding) int {
	h := b.Help()
	return 2 + format.Width(l.Label(h.Key)) + 1 + format.Width(l.Label(h.Desc))
}

// fitting returns the bindings that the bottom bar has room for, in order.
func fitting(l i18n.Language, bindings []key.Binding, width, gap int) (shown []key.Binding) {
	help := component.Help.Help()
	room, n := width+gap, maxCaps
	for _, b := range bindings {
		if b.Help() == help {
			room -= capWidth(l, b) + gap
			n--
		}
	}
	for _, b := range bindings {
		if b.Help() != help {
			if n--; n < 0 || capWidth(l, b)+gap > room {
				room = 0
				continue
			}
			room -= capWidth(l, b) + gap
		}
		shown = append(shown, b)
	}
	return shown
}
