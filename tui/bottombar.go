package tui

import (
	"cmp"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"

	"broadside/internal/i18n"
	"broadside/internal/term"
	"broadside/tui/component"
	"broadside/tui/format"
)

// maxCaps is the maximum number of keys in the bottom bar.
const maxCaps = 7

// bottomBar returns the last line of the screen, which has as many bindings as fit. Help is
// dropped last because it lists all of them.
func (m *Model) bottomBar(bindings []key.Binding, line int) string {
	const gap = 2
	shown := fitting(m.env.Lang, bindings, m.width, gap)
	width := -gap
	for _, b := range shown {
		width += gap + capWidth(m.env.Lang, b)
	}
	left := max(0, (m.width-width)/2)
	margin := format.Spaces(left)
	var bar []string
	for _, b := range shown {
		for _, z := range buttons(m.env.Lang, b) {
			z.Line, z.Left = line, z.Left+left
			m.frame.zones = append(m.frame.zones, z)
		}
		bar = append(bar, hint(m.env.Lang, b))
		left += capWidth(m.env.Lang, b) + gap
	}
	return margin + strings.Join(bar, format.Spaces(gap))
}

// hint returns a binding in the bottom bar. A label without keys, such as a range of digits,
// is not a button.
func hint(l i18n.Language, b key.Binding) string {
	h := b.Help()
	if len(b.Keys()) == 0 {
		return term.Faint.Render(" " + l.Label(h.Key) + "  " + l.Label(h.Desc))
	}
	return component.Cap(l.Label(h.Key)) + " " + term.Faint.Render(l.Label(h.Desc))
}

// buttons returns the clickable parts of a binding: each character of a label such as ↑↓ that
// names one of its keys, otherwise all of it.
func buttons(l i18n.Language, b key.Binding) (zones []component.Zone) {
	keys := b.Keys()
	if len(keys) == 0 {
		return nil
	}
	at := 1
	for _, r := range l.Label(b.Help().Key) {
		name := cmp.Or(arrowKeys[r], string(r))
		switch {
		case slices.Contains(keys, name):
			zones = append(zones, component.Zone{Left: at, Width: 1, Key: name})
		case r == ' ' && len(zones) > 0:
			zones[len(zones)-1].Width++
		default:
			return []component.Zone{{Width: capWidth(l, b), Key: keys[0]}}
		}
		at++
	}
	// the ends belong to the first and the last one
	zones[0].Left, zones[0].Width = 0, 2
	last := &zones[len(zones)-1]
	last.Width = capWidth(l, b) - last.Left
	return zones
}

// arrowKeys are the names of the keys of arrows.
var arrowKeys = map[rune]string{'↑': "up", '↓': "down", '←': "left", '→': "right"}

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
