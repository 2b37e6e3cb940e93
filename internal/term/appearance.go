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
	Auto    Theme = iota // what goes with the terminal
	Classic              // grey and blue, as in the game's first client
	Dark
	Light
	Contrast    // high contrast
	ColourBlind // tell-apart with any kind of colour vision
	Mono        // no colours
	themeCount
)

var themeNames = [...]string{"auto", "classic", "dark", "light", "contrast", "colour-blind", "mono"}

// Themes lists all themes.
func Themes() []Theme { return []Theme{Auto, Classic, Dark, Light, Contrast, ColourBlind, Mono} }

// String is the theme's name, in one word.
func (t Theme) String() string { return nameOf(themeNames[:], int(t)) }

// ParseTheme is the theme of that name. The error names those there are.
func ParseTheme(name string) (Theme, error) {
	i, err := parse(themeNames[:], "theme", name)
	return Theme(i), err
}

// Glyphs is a set of characters.
type Glyphs uint8

// The sets of characters.
const (
	AutoGlyphs Glyphs = iota // what the locale says
	Unicode
	ASCII
)

var glyphNames = [...]string{"auto", "unicode", "ascii"}

// GlyphSets lists all sets of characters.
func GlyphSets() []Glyphs { return []Glyphs{AutoGlyphs, Unicode, ASCII} }

// String is the set's name, in one word.
func (g Glyphs) String() string { return nameOf(glyphNames[:], int(g)) }

// ParseGlyphs is the set of that name. The error names those there are.
func ParseGlyphs(name string) (Glyphs, error) {
	i, err := parse(glyphNames[:], "set of characters", name)
	return Glyphs(i), err
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
		return 0, fmt.Errorf("there is no %s %q: choose one of %s", what, name, strings.Join(names, ", "))
	}
	return i, nil
}

// Choice is how a person wants the screens to look and move. The zero value
// is what goes with the terminal.
type Appearance struct {
	Theme       Theme
	Glyphs      Glyphs
	NoAnimation bool // nothing is animated
	NoMouse     bool // the mouse is left to the terminal
}
