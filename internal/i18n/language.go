package i18n

import (
	"strings"
	"time"

	"golang.org/x/text/language"
)

// Language is a language that the texts are written in. The zero value is
// English. Any goroutine may use its methods.
type Language uint8

// The languages.
const (
	English Language = iota
	German
	languages
)

// about is what there is to know of each language.
var about = [languages]struct {
	tag        language.Tag
	code, name string
}{
	English: {language.English, "en", "English"},
	German:  {language.German, "de", "Deutsch"},
}

// Languages are all languages.
func Languages() []Language { return []Language{English, German} }

// String is the code of a language, such as "de".
func (l Language) String() string { return about[l].code }

// Name is a language's name in that language.
func (l Language) Name() string { return about[l].name }

// Parse is the language of a locale or a code such as "de_AT.UTF-8", "de-DE" or
// "de"; false if it is none of the languages here.
func Parse(name string) (Language, bool) {
	code := strings.ToLower(name)
	if i := strings.IndexAny(code, "_-.@"); i >= 0 {
		code = code[:i]
	}
	for l := range languages {
		if about[l].code == code {
			return l, true
		}
	}
	return English, false
}

// OfSession is the language that a session's environment asks for, by the first
// of LC_ALL, LC_MESSAGES and LANG that is set, as "NAME=value"; English if it is
// none of ours.
func OfSession(environ []string) Language {
	for _, name := range []string{"LC_ALL=", "LC_MESSAGES=", "LANG="} {
		value := ""
		for _, e := range environ { // the last one counts, as for a process
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

var germanMonths = [...]string{"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August",
	"September", "Oktober", "November", "Dezember"}

// Date is a day in words, in UTC.
func (l Language) Date(t time.Time) string {
	t = t.UTC()
	if l == German {
		return t.Format("2. ") + germanMonths[t.Month()-1] + t.Format(" 2006")
	}
	return t.Format("2 January 2006")
}

// Day is a day in ten characters, in UTC.
func (l Language) Day(t time.Time) string {
	if l == German {
		return t.UTC().Format("02.01.2006")
	}
	return t.UTC().Format(time.DateOnly)
}

// Upper is a text in capitals.
func (l Language) Upper(text string) string {
	return strings.ToUpper(text) // ß has none of its own, and stays
}
