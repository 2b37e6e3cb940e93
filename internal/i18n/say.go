package i18n

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/message"
	"golang.org/x/text/message/catalog"
)

// Text is what is to be read: English as it stands in the code, with the verbs
// of package fmt if something goes into it. Only constants are texts.
type Text string

// speech is how a language is spoken: its constant texts, the forms of the
// others, and a printer that knows its numbers as well.
type speech struct {
	constant map[Text]string
	formats  map[Text]forms // by is 0 where no number decides
	printer  *message.Printer
}

// speeches are made once, when somebody speaks first, and never changed.
var speeches = sync.OnceValue(func() *[languages]speech {
	var all [languages]speech
	for l := range languages {
		all[l] = makeSpeech(l)
	}
	return &all
})

func makeSpeech(l Language) speech {
	tag := about[l].tag
	s := speech{constant: map[Text]string{}, formats: map[Text]forms{}}
	formats := catalog.NewBuilder(catalog.Fallback(tag))
	for key, said := range german {
		if l == English {
			said = plain(key)
		}
		if !strings.Contains(said, "%") || !strings.Contains(string(key), "%") {
			s.constant[key] = said
		}
		s.formats[key] = forms{other: said}
		must(formats.SetString(tag, string(key), said))
	}
	for key, f := range plurals {
		of := f[l]
		s.formats[key] = of
		must(formats.Set(tag, string(key), plural.Selectf(of.by, "%d", plural.One, of.one, plural.Other, of.other)))
	}
	s.printer = message.NewPrinter(tag, message.Catalog(formats))
	return s
}

// must stops the program over a catalog that cannot be read. The tests of this
// package read them all.
func must(err error) {
	if err != nil {
		panic("i18n: " + err.Error())
	}
}

// plain is the English of a key, without what is there to keep it apart.
func plain(key Text) string {
	text, _, _ := strings.Cut(string(key), " ¦ ")
	return text
}

// Say is a text in this language. A number among what goes into it is written
// as people write it there, and messages, texts and errors are said in the same
// language.
func (l Language) Say(text Text, args ...any) string {
	s := &speeches()[l]
	if len(args) == 0 {
		if said, ok := s.constant[text]; ok {
			return said
		}
		return plain(text)
	}
	var own []any // never change the caller's
	for i, a := range args {
		said, ok := "", true
		switch a := a.(type) {
		case Text:
			said = l.Say(a)
		case Message:
			said = a.In(l)
		case error:
			said = l.Error(a)
		default:
			ok = false
		}
		if ok {
			if own == nil {
				own = append(own, args...)
			}
			own[i] = said
		}
	}
	if own == nil {
		own = args
	}
	if f, ok := s.formats[text]; ok && ordinary(own) {
		if f.by > 0 && own[f.by-1] == 1 {
			return fmt.Sprintf(f.one, own...)
		}
		return fmt.Sprintf(f.other, own...)
	}
	return s.printer.Sprintf(string(text), own...)
}

// ordinary tells whether all of what goes into a text is written alike in all
// languages: strings and small numbers, as nearly always. The printer would take
// several times as long for them.
func ordinary(args []any) bool {
	for _, a := range args {
		switch a := a.(type) {
		case string:
		case int:
			if a < 0 || a > 999 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// Message is a text with what goes into it, to be said when it is known in
// which language.
type Message struct {
	Text Text
	Args []any // as for Language.Say; they do not change
}

// Mean is a message.
func Mean(text Text, args ...any) Message { return Message{text, args} }

// In is the message in a language; nothing for the zero Message.
func (m Message) In(l Language) string {
	if m.Text == "" {
		return ""
	}
	return l.Say(m.Text, m.Args...)
}

// Error is an error whose text people read. As an error it is English.
type Error struct{ Message }

// Said implements [Speaker].
func (e *Error) Said() Message { return e.Message }

// Speaker is an error that knows what it says in every language.
type Speaker interface {
	error
	Said() Message
}

// Errorf makes an error that can be said in every language. It wraps the errors
// among its arguments, which are written with %v.
func Errorf(text Text, args ...any) error { return &Error{Message{text, args}} }

// Error implements error.
func (e *Error) Error() string { return e.In(English) }

// Is reports whether target is an Error that says the same: an error that has
// travelled, see [Carry], is still the one that it was.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Text == e.Text && reflect.DeepEqual(t.Args, e.Args)
}

// Unwrap yields the errors among the arguments.
func (e *Error) Unwrap() []error {
	var all []error
	for _, a := range e.Args {
		if err, ok := a.(error); ok {
			all = append(all, err)
		}
	}
	return all
}

// Error says an error: in this language, if it or one that it wraps is a
// [Speaker], else in English.
func (l Language) Error(err error) string {
	var s Speaker
	if l != English && errors.As(err, &s) {
		return s.Said().In(l)
	}
	return err.Error()
}

// Label returns a text in this language that was kept as a string, such as the help
// of a key binding. The string must have been made from a Text.
func (l Language) Label(text string) string { return l.Say(Text(text)) }
