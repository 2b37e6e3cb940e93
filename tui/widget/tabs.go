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
	// First is the first title that is shown.
	First int
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
func (t *Tabs) Step(by int) { t.Selected = t.next(by) }

func (t *Tabs) next(by int) int {
	return t.First + Cycle(t.Selected-t.First, by, len(t.Titles)-t.First)
}

// Draw returns the line of titles above a blank line. If they do not fit, it shows only the selected one.
func (t *Tabs) Draw(l i18n.Language, width int) []string {
	line := " "
	for i := t.First; i < len(t.Titles); i++ {
		title := t.Titles[i]
		tab := KeyCap(l.Text(title))
		if i == t.Selected {
			tab = term.Chip.Render(" " + l.Text(title) + " ")
		}
		line += term.MakeClickable("", tabItems+i, tab) + " "
	}
	if text.Width(line) > width {
		line = term.MakeClickable("", tabItems+t.next(1), " ‹ "+term.Chip.Render(" "+l.Text(t.Titles[t.Selected])+" ")+" ›")
	}
	return []string{text.Pad(line, width), ""}
}
