package tui

import (
	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/internal/term"
)

// appearance is how the screens look and move.
type appearance struct {
	native   i18n.Language // of the session
	terminal term.Terminal
	choice   term.Appearance
	palette  *term.Palette // that of choice at the terminal
}

// SetAppearance changes how the screens look and move, from the next frame on.
func (a *appearance) SetAppearance(c term.Appearance) {
	a.choice = c
	a.palette = term.PaletteFor(c, a.terminal)
}

// Appearance returns what SetLook set last.
func (a *appearance) Appearance() term.Appearance { return a.choice }

// Palette returns how the styles of the view look now.
func (a *appearance) Palette() *term.Palette { return a.palette }

// ApplySettings implements [component.Navigator]. A choice that is not known is left to
// the terminal.
func (m *Model) ApplySettings(s session.Settings) {
	m.env.Settings = s
	c := term.Appearance{NoAnimation: s.NoAnimation, NoMouse: s.NoMouse}
	c.Theme, _ = term.ParseTheme(s.Theme)
	c.Glyphs, _ = term.ParseGlyphs(s.Glyphs)
	m.SetAppearance(c)
	m.env.Lang = m.native
	if l, ok := i18n.Parse(s.Language); ok {
		m.env.Lang = l
	}
}
