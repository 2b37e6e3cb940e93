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
	label, does := a.CapText(l), l.Text(a.Label)
	return barItem{a.Keys.List(), a.Keys == widget.HelpHint.Keys, label, does, 2 + text.Width(label) + 1 + text.Width(does)}
}

// bottomBar returns the screen's last line, with as many actions as fit: the first ones, and help,
// because it lists all.
func (m *Model) bottomBar(actions []widget.Action) string {
	gap := 2
	if m.width < 60 {
		gap = 1
	}
	shown := fitActions(m.env.Lang, actions, m.width, gap)
	width := -gap
	for i := range shown {
		width += shown[i].width + gap
	}
	var bar strings.Builder
	bar.WriteString(text.Spaces((m.width - width) / 2))
	for i := range shown {
		if i > 0 {
			bar.WriteString(text.Spaces(gap))
		}
		bar.WriteString(shown[i].text())
	}
	return bar.String()
}

// text returns the item as shown. A label without keys, such as a range of digits, is not a
// button.
func (i *barItem) text() string {
	if len(i.keys) == 0 {
		return term.Faint.Render(" " + i.label + "  " + i.does)
	}
	return i.button() + " " + term.Faint.Render(i.does) + term.ZoneEnd
}

// button returns the key cap of an item and begins its zones, which the caller ends: one for each
// character of a label such as ↑↓ if these name keys, otherwise one for all.
func (i *barItem) button() string {
	if len(i.keys) == 0 {
		return widget.KeyCap(i.label)
	}
	var keyCap strings.Builder
	for n, r := range i.label {
		name := cmp.Or(arrowKeys[r], string(r))
		switch {
		case slices.Contains(i.keys, name):
			keyCap.WriteString(term.ZoneStart(name, 0))
		case r != ' ' || n == 0:
			return term.ZoneStart(i.keys[0], 0) + widget.KeyCap(i.label)
		}
		if n == 0 { // the space before the label belongs to the first zone
			keyCap.WriteString(term.Cap.StartMark() + " ")
		}
		keyCap.WriteRune(r)
	}
	return keyCap.String() + " " + term.StyleEnd
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
