package term

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"broadside/tui/term/colour"
)

// Theme is the name of a set of colours, of [colour.Themes] or one of these.
type Theme string

// Themes with a meaning of their own. Auto is chosen for the terminal, Mono has no colours.
const (
	Auto  Theme = ""
	Navy  Theme = "navy"
	Light Theme = "light"
	Mono  Theme = "mono"
)

// Themes lists all themes.
func Themes() []Theme {
	all := []Theme{Auto}
	for _, d := range colour.Themes {
		all = append(all, Theme(d.Name))
	}
	return append(all, Mono)
}

// String returns the name of the theme, one word.
func (t Theme) String() string { return cmp.Or(string(t), "auto") }

// ParseTheme returns the theme with a name. The error lists the names.
func ParseTheme(name string) (Theme, error) {
	if strings.EqualFold(name, "dark") { // its name in stored settings of earlier versions
		return Navy, nil
	}
	var names []string
	for _, t := range Themes() {
		names = append(names, t.String())
	}
	i, err := parse(names, "theme", name)
	return Themes()[i], err
}

// Glyphs is a set of characters that screens may use.
type Glyphs uint8

// The sets of characters.
const (
	AutoGlyphs Glyphs = iota // chosen by the locale
	Unicode
	ASCII
)

var glyphNames = [...]string{"auto", "unicode", "ascii"}

// GlyphSets lists all sets of characters.
func GlyphSets() []Glyphs { return []Glyphs{AutoGlyphs, Unicode, ASCII} }

// String returns the name of the set, one word.
func (g Glyphs) String() string { return nameOf(glyphNames[:], int(g)) }

// ParseGlyphs returns the set of characters with a name. The error lists the names.
func ParseGlyphs(name string) (Glyphs, error) {
	i, err := parse(glyphNames[:], "set of characters", name)
	return Glyphs(i), err
}

// Water is how the sea is drawn.
type Water uint8

// The kinds of sea.
const (
	AutoSea     Water = iota // chosen by the line's speed
	TexturedSea              // several tones, if the theme has them in the terminal's colours
	PlainSea                 // a single tone and at most 256 colours, for slow lines
)

var seaNames = [...]string{"auto", "textured", "plain"}

// Seas lists all kinds of sea.
func Seas() []Water { return []Water{AutoSea, TexturedSea, PlainSea} }

// String returns the name of the kind, one word.
func (w Water) String() string { return nameOf(seaNames[:], int(w)) }

// ParseSea returns the kind of sea with a name. The error lists the names.
func ParseSea(name string) (Water, error) {
	i, err := parse(seaNames[:], "sea", name)
	return Water(i), err
}

func nameOf(names []string, i int) string {
	if i >= len(names) {
		return "?"
	}
	return names[i]
}

func parse(names []string, what, name string) (int, error) {
	i := slices.Index(names, strings.ToLower(name))
	if i < 0 {
		return 0, fmt.Errorf("unknown %s %q: choose one of %s", what, name, strings.Join(names, ", "))
	}
	return i, nil
}

// Appearance holds a player's preferences for screens. The zero value follows the terminal.
type Appearance struct {
	Theme   Theme
	Glyphs  Glyphs
	Sea     Water
	NoMouse bool // leaves the mouse to the terminal
}
