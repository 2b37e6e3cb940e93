package term

import (
	"fmt"
	"slices"
	"strings"
)

// Theme is a set of colours.
type Theme uint8

// The themes.
const (
	Auto        Theme = iota // chosen for the terminal
	Navy                     // for dark backgrounds
	Light                    // for light backgrounds
	Contrast                 // high contrast
	ColourBlind              // distinguishable with any colour vision
	Classic                  // grey and light blue, like the first client of the game
	Mono                     // no colours
	themeCount
)

var themeNames = [...]string{"auto", "navy", "light", "contrast", "colour-blind", "classic", "mono"}

// Themes lists all themes.
func Themes() []Theme { return []Theme{Auto, Navy, Light, Contrast, ColourBlind, Classic, Mono} }

// String returns the name of the theme, one word.
func (t Theme) String() string { return nameOf(themeNames[:], int(t)) }

// ParseTheme returns the theme with a name. The error lists the names.
func ParseTheme(name string) (Theme, error) {
	if strings.EqualFold(name, "dark") { // its name in stored settings of earlier versions
		return Navy, nil
	}
	i, err := parse(themeNames[:], "theme", name)
	return Theme(i), err
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
