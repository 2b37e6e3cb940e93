package tui

import (
	"broadside/internal/term/look"
)

// theme is the inks that words are written with. Colours are put on at the end,
// see package look.
type theme struct {
	bar, title, faint, strong, key, good, bad, warn look.Ink
}

func looks() theme {
	return theme{
		bar: look.Bar, title: look.Title, faint: look.Faint, strong: look.Strong, key: look.Key,
		good: look.Good, bad: look.Bad, warn: look.Warn,
	}
}

// SetLook changes how the screens look and move, from the next frame on.
func (m *Model) SetLook(c look.Choice) {
	m.choice = c
	m.colours = look.For(c, m.terminal)
}

// Look is what [Model.SetLook] has set last.
func (m *Model) Look() look.Choice { return m.choice }
