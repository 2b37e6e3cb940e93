package term

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// Queries of a terminal. It answers those that it knows in this order. Nearly all terminals know the last
// one.
const (
	queryBackground = "\x1b]11;?\a"
	// The current style's report says whether the terminal kept the colour, changed it to the
	// nearest of 256, or ignored it.
	queryTrueColor = "\x1b[48;2;1;2;3m\x1bP$qm\x1b\\" + ansi.ResetStyle
	queryName      = "\x1b[>0q"
	queryModel     = "\x1b[c"
)

// QuerySequences returns control sequences that ask a terminal of type term for its background and its
// colours, or "" if terminals of this type may not answer. The terminal shows none of them, or only until
// the screen is erased. Pass the answers to [Terminal.ApplyAnswer].
func (t Terminal) QuerySequences(term string) string {
	switch {
	case t.Profile <= colorprofile.ASCII || isConsole(term):
		return ""
	case strings.HasPrefix(term, "screen") || strings.HasPrefix(term, "tmux"):
		// GNU screen passes unknown strings to the terminal in which it runs, where they
		// could show. Neither of them reports 24-bit colours.
		return queryBackground + queryModel
	}
	return queryBackground + queryTrueColor + queryName + queryModel
}

// ApplyAnswer returns the terminal updated with an answer to its query, and whether this was the last
// answer. A control sequence that is no answer changes nothing.
func (t Terminal) ApplyAnswer(answer string) (learned Terminal, last bool) {
	answer = strings.TrimSuffix(strings.TrimSuffix(answer, "\a"), "\x1b\\")
	switch {
	case strings.HasPrefix(answer, "\x1b]11;"):
		t.applyBackground(strings.TrimPrefix(answer, "\x1b]11;"))
	case strings.HasPrefix(answer, "\x1bP>|"):
		t.applyName(strings.TrimPrefix(answer, "\x1bP>|"))
	case strings.HasPrefix(answer, "\x1bP"):
		if trueColor.MatchString(answer) {
			t.Profile = colorprofile.TrueColor
		}
	case strings.HasPrefix(answer, "\x1b[?") && strings.HasSuffix(answer, "c"):
		return t, true
	}
	return t, false
}

// trueColor matches a style report with askTrueColor's background. Terminals separate its numbers with
// colons or semicolons, and some add a number for the colour space.
var trueColor = regexp.MustCompile(`\$r(?:.*[;:])?48(?::2:\d*:1:2:3|:2:1:2:3|;2;1;2;3)(?:[;:].*)?m$`)

// applyBackground sets whether the background is light from its colour, such as "rgb:1e1e/1e1e/2e2e" or
// "#1e1e2e".
func (t *Terminal) applyBackground(colour string) {
	hex, ok := strings.CutPrefix(colour, "#")
	n := len(hex) / 3
	if ok && len(hex) == 3*n {
		colour = "rgb:" + hex[:n] + "/" + hex[n:2*n] + "/" + hex[2*n:]
	}
	model, values, ok := strings.Cut(colour, ":")
	parts := strings.Split(values, "/")
	if !ok || model != "rgb" && model != "rgba" || len(parts) < 3 {
		return
	}
	luma := 0.0
	for i, weight := range [...]float64{0.299, 0.587, 0.114} {
		v, err := strconv.ParseUint(parts[i], 16, 16)
		if err != nil {
			return
		}
		most := uint64(1)<<(4*len(parts[i])) - 1
		luma += weight * float64(v) / float64(most)
	}
	t.Background = DarkBackground
	if luma > 0.5 {
		t.Background = LightBackground
	}
}

// applyName enables 24-bit colours for a terminal that is known by its name, such as "WezTerm 20240203" or
// "kitty(0.35.2)". Not all terminals with 24-bit colours report the current style.
func (t *Terminal) applyName(name string) {
	end := strings.IndexFunc(name, func(r rune) bool { return r == '(' || r == ' ' || r == '/' })
	if end >= 0 {
		name = name[:end]
	}
	switch strings.ToLower(name) {
	case "alacritty", "contour", "foot", "ghostty", "iterm2", "kitty", "konsole", "mintty", "mlterm", "rio", "terminology", "vte", "warp", "wezterm", "xterm.js", "zutty":
		t.Profile = colorprofile.TrueColor
	}
}

// isConsole reports whether a type of terminal is a console, which has few characters and
// answers no queries.
func isConsole(term string) bool {
	for _, name := range [...]string{"linux", "cygwin", "ansi", "cons25", "wsvt25"} {
		if term == name || strings.HasPrefix(term, name+"-") {
			return true
		}
	}
	return len(term) > 2 && strings.HasPrefix(term, "vt") && term[2] >= '0' && term[2] <= '9'
}
