package i18n

import (
	"strconv"
	"strings"
	"time"
)

// Language is a language that has a file in locales. Its zero value is English. Its methods may be called from
// any goroutine.
type Language struct{ other *catalog }

// English is the language of logs and the default language of sessions.
var English Language

func (l Language) catalog() *catalog {
	if l.other == nil {
		return catalogs()[0]
	}
	return l.other
}

// Languages returns all languages, English first.
func Languages() []Language {
	all := []Language{English}
	for _, c := range catalogs()[1:] {
		all = append(all, Language{c})
	}
	return all
}

// ASCIISpelling returns the language in its ASCII spelling, if it has one: German writes ä as ae. Otherwise it
// returns l, because a similar ASCII letter can replace each letter.
func (l Language) ASCIISpelling() Language {
	c := l.catalog()
	if c.ascii != nil {
		return Language{c.ascii}
	}
	return l
}

// String returns the language's tag, such as "de".
func (l Language) String() string { return l.catalog().tag.String() }

// Name returns the language's name in the language itself.
func (l Language) Name() string { return l.Text("English##language") }

// Parse returns the language of a locale or tag, such as "de_AT.UTF-8", "de-DE" or "de". It returns false if
// there is no file for that language.
func Parse(name string) (Language, bool) {
	if i := strings.IndexAny(name, ".@"); i >= 0 {
		name = name[:i]
	}
	tag := strings.ReplaceAll(name, "_", "-")
	for {
		for _, l := range Languages() {
			if strings.EqualFold(l.String(), tag) {
				return l, true
			}
		}
		// Try again without the region.
		i := strings.LastIndexByte(tag, '-')
		if i < 0 {
			return English, false
		}
		tag = tag[:i]
	}
}

// MustParse is like [Parse] but panics if there is no file for the language.
func MustParse(name string) Language {
	l, ok := Parse(name)
	if !ok {
		panic("i18n: no language " + strconv.Quote(name))
	}
	return l
}

// ParseEnviron returns the language of an environment of "NAME=value" strings: the first of LC_ALL, LC_MESSAGES
// and LANG that is set. It returns English if that language is not available.
func ParseEnviron(environ []string) Language {
	for _, name := range []string{"LC_ALL=", "LC_MESSAGES=", "LANG="} {
		value := ""
		// As in a process, the last value applies.
		for _, e := range environ {
			if v, ok := strings.CutPrefix(e, name); ok {
				value = v
			}
		}
		if value != "" {
			l, _ := Parse(value)
			return l
		}
	}
	return English
}

var months = [...]Key{
	"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
}

// LongDate returns a date with the month's name, in UTC.
func (l Language) LongDate(t time.Time) string {
	year, month, day := t.UTC().Date()
	return l.Text("%s %s %s##date", strconv.Itoa(day), months[month-1], strconv.Itoa(year))
}

// ShortDate returns a date in ten characters, in UTC.
func (l Language) ShortDate(t time.Time) string {
	return t.UTC().Format(l.Text("2006-01-02##layout of a day"))
}

// IsYes reports whether a keyboard key means yes: y, or the language's own letter.
func (l Language) IsYes(key string) bool { return key == "y" || key == l.Text("y##yes") }
