package tui

import (
	"broadside/internal/i18n"
	"broadside/internal/session"
	"broadside/internal/term/look"
)

// appearance is how the screens look and move.
type appearance struct {
	native   i18n.Language // of the session
	terminal look.Terminal
	choice   look.Choice
	colours  *look.Look // that of choice at the terminal
}

// SetLook changes how the screens look and move, from the next frame on.
func (a *appearance) SetLook(c look.Choice) {
	a.choice = c
	a.colours = look.For(c, a.terminal)
}

// Look returns what SetLook set last.
func (a *appearance) Look() look.Choice { return a.choice }

// Colours returns how the inks of the view look now.
func (a *appearance) Colours() *look.Look { return a.colours }

// ApplySettings implements [component.Navigator]. A choice that is not known is left to
// the terminal.
func (m *Model) ApplySettings(s session.Settings) {
	m.env.Settings = s
	c := look.Choice{Still: s.NoAnimation, NoMouse: s.NoMouse}
	c.Theme, _ = look.ParseTheme(s.Theme)
	c.Glyphs, _ = look.ParseGlyphs(s.Glyphs)
	m.SetLook(c)
	m.env.Lang = m.native
	if l, ok := i18n.Parse(s.Language); ok {
		m.env.Lang = l
	}
}
