package term

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
)

// Terminal describes a terminal. The zero value supports all colours and characters, and has
// an unknown background.
type Terminal struct {
	// Profile tells which colours are supported. Unknown means all.
	Profile colorprofile.Profile
	// Background is that of text without a background colour.
	Background Background
	// ASCII is set if the terminal shows only ASCII.
	ASCII bool
}

// SlowLine is the message that tells whether the line to the terminal is slow.
type SlowLine bool

// DetectTerminal derives the capabilities of a terminal from its type and environment. A
// non-empty NO_COLOR disables colours.
func DetectTerminal(term string, env []string) Terminal {
	v := map[string]string{}
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		v[name] = value
	}
	t := Terminal{
		Profile:    colorprofile.Env(append([]string{"TERM=" + term}, env...)),
		Background: parseBackground(v["COLORFGBG"]),
		ASCII:      !hasUTF8Locale(v) || isConsole(term),
	}
	if v["NO_COLOR"] != "" {
		t.Profile = min(t.Profile, colorprofile.ASCII)
	}
	return t
}

// Background is the brightness of a terminal's background.
type Background uint8

// Backgrounds.
const (
	UnknownBackground Background = iota
	DarkBackground
	LightBackground
)

// parseBackground parses a value of COLORFGBG, such as "0;15" or "0;default;15".
func parseBackground(colours string) Background {
	n, err := strconv.Atoi(colours[strings.LastIndexByte(colours, ';')+1:])
	switch {
	case err != nil || n < 0 || n > 15:
		return UnknownBackground
	case n == 7 || n >= 9:
		return LightBackground
	}
	return DarkBackground
}

// hasUTF8Locale reports whether the locale uses UTF-8. Without a locale, it returns true.
func hasUTF8Locale(env map[string]string) bool {
	for _, name := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		locale := env[name]
		if locale != "" {
			l := strings.ToLower(locale)
			return strings.Contains(l, "utf-8") || strings.Contains(l, "utf8")
		}
	}
	return true
}
