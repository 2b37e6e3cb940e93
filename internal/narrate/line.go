package narrate

import "broadside/internal/i18n"

// Tone says what a line means to its reader.
type Tone uint8

// The tones.
const (
	Neutral Tone = iota
	Good         // a success of the reader, or the win of a player who is watched
	Bad          // a success of the reader's opponent
	Warning      // nobody won
)

// Line says what happened in a match.
type Line struct {
	Full   i18n.Message // one or more sentences; zero if Detail says everything
	Brief  i18n.Message // Full in a few words
	Detail i18n.Message // sentences for those who do not see the boards and the status of a screen; or zero
	Tone   Tone
}

// Text returns the whole line for those who do not see a screen.
func (s Line) Text(l i18n.Language) string { return joinMessages(s.Full, s.Detail).Text(l) }

// joinMessages puts sentences next to each other. It leaves out zero messages.
func joinMessages(first, second i18n.Message) i18n.Message {
	switch {
	case first.Key == "":
		return second
	case second.Key == "":
		return first
	}
	return i18n.NewMessage("%s %s", first, second)
}

// sentenceLine returns a line without a shorter form.
func sentenceLine(key i18n.Key, args ...any) Line {
	m := i18n.NewMessage(key, args...)
	return Line{Full: m, Brief: m}
}

// appendItem appends an item to a list.
func appendItem(all, item i18n.Message) i18n.Message {
	if all.Key == "" {
		return item
	}
	return i18n.NewMessage("%s, %s", all, item)
}

// detailLine returns a line that says what a screen shows anyway.
func detailLine(key i18n.Key, args ...any) Line { return Line{Detail: i18n.NewMessage(key, args...)} }

// The sentences that the script of the web pages says as well.
const (
	FiredText     i18n.Key = "%s fired at %s: %s."
	BeginsText    i18n.Key = "The battle starts. %s fires first."
	AimingText    i18n.Key = "%s is aiming."
	PlacingText   i18n.Key = "Players are placing ships."
	WonText       i18n.Key = "%s won."
	NobodyWonText i18n.Key = "No one won."
)
