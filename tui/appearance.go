package tui

import (
	"broadside/internal/i18n"
	"broadside/lobby/account"
	"broadside/tui/term"
)

// appearance holds the session's language, theme and palette.
type appearance struct {
	sessionLanguage i18n.Language
	terminal        term.Terminal
	preferences     term.Appearance
	// palette is for the preferences on this terminal.
	palette    *term.Palette
	isLineSlow bool
}

// SetAppearance sets the appearance, starting with the next frame.
func (a *appearance) SetAppearance(c term.Appearance) {
	a.preferences = c
	a.palette = term.PaletteFor(c, a.terminal)
}

// ApplySettings implements [widget.Navigator]. An unknown setting falls back to the
// terminal's default.
func (m *Model) ApplySettings(s account.Settings) {
	m.env.Settings = s
	c := term.Appearance{Theme: term.Theme(s.Theme), Glyphs: term.Glyphs(s.Glyphs), Sea: term.SeaKind(s.Sea), NoMouse: s.NoMouse}
	// Earlier versions stored Navy as "dark".
	if s.Theme == "dark" {
		c.Theme = term.Navy
	}
	if m.isLineSlow && c.Sea != term.TexturedSea {
		c.Sea = term.PlainSea
	}
	m.SetAppearance(c)
	m.env.Lang = m.sessionLanguage
	if l, ok := i18n.Parse(s.Language); ok {
		m.env.Lang = l
	}
	// Some texts are longer in ASCII, so this happens before the layout.
	if m.palette.Detail() == term.Letters {
		m.env.Lang = m.env.Lang.ASCIISpelling()
	}
}
