package text

import (
	"broadside/internal/narrate"
	"broadside/tui/term"
)

// ToneStyle returns the style for a line with a tone.
func ToneStyle(t narrate.Tone) term.Style {
	return [...]term.Style{
		narrate.Neutral: term.Plain, narrate.Good: term.Good, narrate.Bad: term.Bad, narrate.Warning: term.Warn,
	}[t]
}
