package term

import "broadside/tui/term/colour"

// Theme names one of [colour.Themes], or Auto or Mono.
type Theme string

// Themes that code refers to. Auto depends on the terminal, and Mono has no colours.
const (
	Auto  Theme = ""
	Navy  Theme = "navy"
	Light Theme = "light"
	Mono  Theme = "mono"
)

// ThemeNames lists all theme names. The first one stands for Auto.
func ThemeNames() []string {
	all := []string{"auto"}
	for _, d := range colour.Themes {
		all = append(all, d.Name)
	}
	return append(all, string(Mono))
}

// Glyphs names the set of characters that screens may use. Unknown values stand for the locale's set.
type Glyphs string

// The sets of characters.
const (
	Unicode Glyphs = "unicode"
	ASCII   Glyphs = "ascii"
)

// GlyphSetNames lists the names of all character sets. The first one stands for the locale's set.
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

// SeaNames lists the names of all kinds of sea. The first one stands for the kind that suits the line's
// speed.
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
