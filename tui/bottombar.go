package tui

import (
	"cmp"
	"slices"
	"strings"

	"broadside/internal/i18n"
	"broadside/tui/term"
	"broadside/tui/text"
	"broadside/tui/widget"
)

// maxCaps is the maximum number of keys in the bottom bar.
const maxCaps = 7

// barItem is an action in the bottom bar.
type barItem struct {
	keys        []string
	help        bool   // the item is the help
	label, does string // translated
	width       int
}

func newBarItem(l i18n.Language, a widget.Action) barItem {
	label, does := a.CapText(l), a.LabelText(l)
	return barItem{a.Keys.List(), a.Keys == widget.HelpHint.Keys, label, does, 2 + text.Width(label) + 1 + text.Width(does)}
}

// bottomBar returns the screen's last line, with as many actions as fit: the first ones, and help,
// because it lists all.
func (m *Model) bottomBar(actions []widget.Action, line int) string {
	gap := 2
	if m.width < 60 {
		gap = 1
	}
	shown := fitActions(m.env.Lang, actions, m.width, gap)
	width := -gap
	for i := range shown {
		width += shown[i].width + gap
	}
	left := max(0, (m.width-width)/2)
	var bar strings.Builder
	bar.WriteString(text.Spaces(left))
	for i := range shown {
		if i > 0 {
			bar.WriteString(text.Spaces(gap))
		}
		for _, z := range shown[i].buttons() {
			z.Line, z.Left = line, z.Left+left
			m.frame.inBar = append(m.frame.inBar, z)
		}
		bar.WriteString(shown[i].text())
		left += shown[i].width + gap
	}
	return bar.String()
}

// text returns the item as shown. A label without keys, such as a range of digits, is not a
// button.
func (i *barItem) text() string {
	if len(i.keys) == 0 {
		return term.Faint.Render(" " + i.label + "  " + i.does)
	}
	return widget.Cap(i.label) + " " + term.Faint.Render(i.does)
}

// buttons returns the clickable parts of an item: each character of a label such as ↑↓ that
// names one of its keys, otherwise all of it.
func (i *barItem) buttons() (zones []widget.Zone) {
	keys := i.keys
	if len(keys) == 0 {
		return nil
	}
	at := 1
	for _, r := range i.label {
		name := cmp.Or(arrowKeys[r], string(r))
		switch {
		case slices.Contains(keys, name):
			zones = append(zones, widget.Zone{Left: at, Width: 1, Key: name})
		case r == ' ' && len(zones) > 0:
			zones[len(zones)-1].Width++
		default:
			return []widget.Zone{{Width: i.width, Key: keys[0]}}
		}
		at++
	}
	// The ends belong to the first and the last zone.
	zones[0].Left, zones[0].Width = 0, 2
	last := &zones[len(zones)-1]
	last.Width = i.width - last.Left
	return zones
}

// arrowKeys are the names of the keys of arrows.
var arrowKeys = map[rune]string{'↑': "up", '↓': "down", '←': "left", '→': "right"}

// fitActions returns the actions that a bottom bar has room for, in order.
func fitActions(l i18n.Language, actions []widget.Action, width, gap int) []barItem {
	room, n := width+gap, maxCaps
	items := make([]barItem, len(actions))
	for i, a := range actions {
		items[i] = newBarItem(l, a)
		if items[i].help {
			room -= items[i].width + gap
			n--
		}
	}
	return slices.DeleteFunc(items, func(i barItem) bool {
		if i.help {
			return false
		}
		if n--; n < 0 || i.width+gap > room {
			room = 0
			return true
		}
		room -= i.width + gap
		return false
	})
}
