package term

import "broadside/tui/term/colour"

// Theme is the name of a set of colours: one of [colour.Themes] or of these.
type Theme string

// Themes with a meaning of their own. Auto is chosen for the terminal, Mono has no colours.
const (
	Auto  Theme = ""
	Navy  Theme = "navy"
	Light Theme = "light"
	Mono  Theme = "mono"
)

// ThemeNames lists the names of all themes, beginning with that of Auto.
func ThemeNames() []string {
	all := []string{"auto"}
	for _, d := range colour.Themes {
		all = append(all, d.Name)
	}
	return append(all, string(Mono))
}

// Glyphs is a set of characters that screens may use. Any other value stands for the one of the locale.
type Glyphs string

// The sets of characters.
const (
	Unicode Glyphs = "unicode"
	ASCII   Glyphs = "ascii"
)

// GlyphSetNames lists the names of all sets of characters, beginning with that of the locale.
func GlyphSetNames() []string { return []string{"auto", string(Unicode), string(ASCII)} }

// SeaKind is how the sea is drawn. Any other value stands for the one that suits the line's speed.
type SeaKind string

// The kinds of sea.
const (
	// TexturedSea has several tones, if the theme has them in the terminal's colours.
	TexturedSea SeaKind = "textured"
	// PlainSea has one tone and at most 256 colours, for slow lines.
	PlainSea SeaKind = "plain"
)

// SeaNames lists the names of all kinds of sea, beginning with that for the line's speed.
func SeaNames() []string { return []string{"auto", string(TexturedSea), string(PlainSea)} }

// Appearance holds a player's preferences for screens. The zero value follows the terminal.
type Appearance struct {
	// Theme may be unknown, which means Auto.
	Theme  Theme
	Glyphs Glyphs
	Sea    SeaKind
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
}
