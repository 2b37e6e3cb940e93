package term

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
)

// Terminal is what is known of a terminal. The zero value has all colours and
// characters, on a ground that is not known.
type Terminal struct {
	Profile    colorprofile.Profile // how many colours it has; Unknown: all
	Background Background           // behind what has no colour of its own
	ASCII      bool                 // it shows no other characters
}

// Read is what a terminal's type and environment tell of it. Any value of
// NO_COLOR but the empty one means no colours.
func ReadTerminal(term string, env []string) Terminal {
	v := map[string]string{}
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		v[name] = value
	}
	t := Terminal{
		Profile:    colorprofile.Env(append([]string{"TERM=" + term}, env...)),
		Background: background(v["COLORFGBG"]),
		ASCII:      !utf8Locale(v),
	}
	if v["NO_COLOR"] != "" {
		t.Profile = min(t.Profile, colorprofile.ASCII)
	}
	return t
}

// Ground is how bright a terminal is behind the text.
type Background uint8

// The grounds.
const (
	UnknownBackground Background = iota
	DarkBackground
	LightBackground
)

// ground is what COLORFGBG, such as "0;15" or "0;default;15", names.
func background(colours string) Background {
	n, err := strconv.Atoi(colours[strings.LastIndexByte(colours, ';')+1:])
	switch {
	case err != nil || n < 0 || n > 15:
		return UnknownBackground
	case n == 7 || n >= 9:
		return LightBackground
	}
	return DarkBackground
}

// utf8Locale tells whether the locale's characters are those of Unicode. Who
// sends no locale is taken to have them, as nearly everybody does.
func utf8Locale(env map[string]string) bool {
	for _, name := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := env[name]; locale != "" {
			l := strings.ToLower(locale)
			return strings.Contains(l, "utf-8") || strings.Contains(l, "utf8")
		}
	}
	return true
}
