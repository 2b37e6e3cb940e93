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
	keyNames []string
	isHelp   bool
	// keyLabel and actionLabel are translated.
	keyLabel, actionLabel string
	width                 int
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
		bar.WriteString(shown[i].render())
	}
	return bar.String()
}

// render returns the item as shown. A label without keys, such as a range of digits, is not a
// button.
func (i *barItem) render() string {
	if len(i.keyNames) == 0 {
		return term.Faint.Render(" " + i.keyLabel + "  " + i.actionLabel)
	}
	return i.clickableCap() + " " + term.Faint.Render(i.actionLabel) + term.ZoneEnd
}

// clickableCap returns the item's key cap and starts its zones, which the caller ends. If the characters
// of a label such as ↑↓ name keys, each has a zone. Otherwise the label has one zone.
func (i *barItem) clickableCap() string {
	if len(i.keyNames) == 0 {
		return widget.KeyCap(i.keyLabel)
	}
	var keyCap strings.Builder
	for n, r := range i.keyLabel {
		name := cmp.Or(arrowKeys[r], string(r))
		switch {
		case slices.Contains(i.keyNames, name):
			keyCap.WriteString(term.ZoneStart(name, 0))
		case r != ' ' || n == 0:
			return term.ZoneStart(i.keyNames[0], 0) + widget.KeyCap(i.keyLabel)
		}
		if n == 0 {
			// The space before the label belongs to the first zone.
			keyCap.WriteString(term.Cap.StartMark() + " ")
		}
		keyCap.WriteRune(r)
	}
	return keyCap.String() + " " + term.StyleEnd
}

// arrowKeys maps arrows to key names.
var arrowKeys = map[rune]string{'↑': "up", '↓': "down", '←': "left", '→': "right"}

// fitActions returns the actions that a bottom bar has room for, in order.
func fitActions(l i18n.Language, actions []widget.Action, width, gap int) []barItem {
	room, n := width+gap, maxCaps
	items := make([]barItem, len(actions))
	for i, a := range actions {
		items[i] = newBarItem(l, a)
		if items[i].isHelp {
			room -= items[i].width + gap
			n--
		}
	}
	return slices.DeleteFunc(items, func(i barItem) bool {
		if i.isHelp {
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
