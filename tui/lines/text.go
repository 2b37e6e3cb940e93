package lines

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"broadside/internal/i18n"
	"broadside/internal/i18n/phrase"
	"broadside/internal/session"
	"broadside/match"
)

// sentence is an error as a sentence.
func sentence(s string) string { return sentenceCase(s) + "." }

// who is a player by name, and by kind if it is no person.
func who(l i18n.Language, p session.Player) string {
	switch p.Kind {
	case session.Program:
		return l.Say("%s, a program", p.Name)
	case session.Bot:
		return l.Say("%s, a bot", p.Name)
	}
	return p.Name
}

// terms are the rules and the clock of a match in a few words.
func terms(l i18n.Language, r match.Rules) string {
	if r.Clock == 0 {
		return l.Say("%s, no clock", r.Name)
	}
	return l.Say("%s, %d seconds a shot", r.Name, int(r.Clock/time.Second))
}

// ship is a type of ship as it is said.
func (s *Session) ship(c match.Class) string { return phrase.Ship(s.l, c.Name) }

// list is words one after another.
func (s *Session) list(all []string) string { return strings.Join(all, ", ") }

// duration is a time in words, rounded up to a second, or to a minute from two
// on.
func (s *Session) duration(d time.Duration) string {
	seconds := int((d + time.Second - 1) / time.Second)
	if seconds >= 120 {
		return s.l.Say("%d minutes", (seconds+59)/60)
	}
	return s.l.Say("%d seconds", seconds)
}

// clean is text from a person or a program, fit to be read aloud.
func clean(name string) string { return strings.Join(strings.Fields(name), " ") }

// sentenceCase is text as it begins a sentence.
func sentenceCase(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}
