package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"broadside/internal/i18n"
)

// fits compares the screen in all languages and several sizes: no text is cut off, and
// translations fit into the space of the English text.
func (d *driver) fits(name string) {
	d.t.Helper()
	width, height := d.m.width, d.m.height
	for _, size := range [][2]int{{100, 30}, {80, 24}, {40, 16}} {
		d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		var english string
		for _, l := range i18n.Languages() {
			d.m.env.Lang = l
			s := d.screen()
			if strings.Contains(strings.ReplaceAll(s, l.Text("one moment…"), ""), "…") {
				d.t.Errorf("%s is cut off in %v at %d×%d:\n%s", name, l, size[0], size[1], s)
			}
			if l == i18n.English {
				english = s
			}
			if strings.Count(s, "\n") != strings.Count(english, "\n") {
				d.t.Errorf("%s is longer in %v than in English at %d×%d:\n%s\nEnglish:\n%s", name, l, size[0], size[1], s, english)
			}
		}
		d.m.env.Lang = i18n.English
	}
	d.send(tea.WindowSizeMsg{Width: width, Height: height})
}
