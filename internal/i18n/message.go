package i18n

import (
	"errors"
	"reflect"
)

// Message is a text with its arguments. Its language is chosen later. The zero Message has no text.
type Message struct {
	Key Key
	// Args are those of [Language.Text]. They must not be modified.
	Args []any
}

// NewMessage returns the message with a key and arguments.
func NewMessage(key Key, args ...any) Message { return Message{key, args} }

// Text returns the message in a language. It is empty for the zero Message.
func (m Message) Text(l Language) string {
	if m.Key == "" {
		return ""
	}
	return l.Text(m.Key, m.Args...)
}

// LocalizedError is an error that has a message.
type LocalizedError interface {
	error
	LocalizedMessage() Message
}

// Error is an error whose text is a translatable message.
type Error struct{ Message }

// Errorf returns an error with a message. It wraps the errors among the arguments. Their verb must be %v.
func Errorf(key Key, args ...any) error { return &Error{Message{key, args}} }

// Error returns the message in English.
func (e *Error) Error() string { return e.Text(English) }

// LocalizedMessage implements [LocalizedError].
func (e *Error) LocalizedMessage() Message { return e.Message }

// Is reports whether target is an Error with the same message. Errors can therefore be compared after they were
// sent to another process.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Key == e.Key && reflect.DeepEqual(t.Args, e.Args)
}

// Unwrap returns the errors among the arguments.
func (e *Error) Unwrap() []error {
	var all []error
	for _, a := range e.Args {
		if err, ok := a.(error); ok {
			all = append(all, err)
		}
	}
	return all
}

// ErrorText returns an error's text: the message of the [LocalizedError] that it is or wraps, or else its
// English text.
func (l Language) ErrorText(err error) string {
	var has LocalizedError
	if errors.As(err, &has) {
		return has.LocalizedMessage().Text(l)
	}
	return err.Error()
}
