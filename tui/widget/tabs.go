package widget

import (
	"broadside/internal/i18n"
	"broadside/tui/term"
	"broadside/tui/text"
)

// tabItems is the item number of the first tab. The items of screens have smaller numbers.
const tabItems = 1_000_000

// Tabs is a line of titles, one of which is selected. A click on a title sends a [Pick] with a large
// number.
type Tabs struct {
	Titles   []i18n.Key
	Selected int
}

// HandlePick selects the tab that was clicked, and reports whether the click was on a tab.
func (t *Tabs) HandlePick(p Pick) bool {
	if p.Item < tabItems {
		return false
	}
	t.Selected = p.Item - tabItems
	return true
}

// Step moves the selection by a number of tabs, from the last one to the first.
func (t *Tabs) Step(by int) { t.Selected = Cycle(t.Selected, by, len(t.Titles)) }

// Draw returns the line of titles above a blank line. If they do not fit, it shows only the selected one.
func (t *Tabs) Draw(l i18n.Language, width int) []string {
	line := " "
	for i, title := range t.Titles {
		tab := KeyCap(l.Text(title))
		if i == t.Selected {
			tab = term.Chip.Render(" " + l.Text(title) + " ")
		}
		line += term.MakeClickable("", tabItems+i, tab) + " "
	}
	if text.Width(line) > width {
		next := Cycle(t.Selected, 1, len(t.Titles))
		line = term.MakeClickable("", tabItems+next, " ‹ "+term.Chip.Render(" "+l.Text(t.Titles[t.Selected])+" ")+" ›")
	}
	return []string{text.Pad(line, width), ""}
}
