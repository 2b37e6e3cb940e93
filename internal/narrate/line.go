package narrate

import "broadside/internal/i18n"

// Tone says what a line means to its reader.
type Tone uint8

const (
	Neutral Tone = iota
	// Good is for the reader's successes, and when a spectator's match has a winner.
	Good
	// Bad is for successes of the reader's opponent.
	Bad
	// Warning means that no one won.
	Warning
)

// Line says what happened in a match.
type Line struct {
	// Full has one or more sentences. It is zero if Detail says everything.
	Full i18n.Message
	// Brief is Full in a few words.
	Brief i18n.Message
	// Results has all results in few words if the line is about the reader's shots. Otherwise it is zero.
	Results i18n.Message
	// Detail has sentences for readers who do not see boards and a status line. It may be zero.
	Detail i18n.Message
	Tone   Tone
}

// Text returns the whole line, for readers who do not see a screen.
func (l Line) Text(lang i18n.Language) string { return joinMessages(l.Full, l.Detail).Text(lang) }

// joinMessages puts two messages next to each other. It leaves out zero messages.
func joinMessages(first, second i18n.Message) i18n.Message {
	switch {
	case first.Key == "":
		return second
	case second.Key == "":
		return first
	}
	return i18n.NewMessage("%s %s", first, second)
}

// sentenceLine returns a line whose brief form is the full one.
func sentenceLine(key i18n.Key, args ...any) Line {
	m := i18n.NewMessage(key, args...)
	return Line{Full: m, Brief: m}
}

// appendItem appends an item to a list with commas.
func appendItem(all, item i18n.Message) i18n.Message {
	if all.Key == "" {
		return item
	}
	return i18n.NewMessage("%s, %s", all, item)
}

// detailLine returns a line about what a screen shows anyway.
func detailLine(key i18n.Key, args ...any) Line { return Line{Detail: i18n.NewMessage(key, args...)} }

// These sentences are also in the web pages' script.
const (
	FiredText     i18n.Key = "%s fired at %s: %s."
	BeginsText    i18n.Key = "The battle starts. %s fires first."
	AimingText    i18n.Key = "%s is aiming."
	PlacingText   i18n.Key = "Players are placing ships."
	WonText       i18n.Key = "%s won."
	NobodyWonText i18n.Key = "No one won."
)
