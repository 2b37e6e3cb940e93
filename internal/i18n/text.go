package i18n

import "fmt"

// Key identifies a text in the files of all languages. Only constants are keys. A
// format without words, such as "%s: %s", is a key without an entry.
type Key string

// Text returns the text of a key in this language, formatted with the arguments as
// package fmt does. Numbers are written as is usual in the language. Keys, messages
// and errors among the arguments are written in the same language.
func (l Language) Text(key Key, args ...any) string {
	c := l.catalog()
	t := c.lookup(key)
	if len(args) == 0 {
		return t.other
	}
	args = l.translate(args)
	format := c.format(t, args)
	if ordinary(args) {
		return fmt.Sprintf(format, args...)
	}
	return c.printer().Sprintf(format, args...)
}

// Label returns the text of a key that is kept as a string, such as the help of a key
// binding.
func (l Language) Label(key string) string { return l.Text(Key(key)) }

// translate returns the arguments with those that have texts in this language
// replaced by them. It does not change args.
func (l Language) translate(args []any) []any {
	var own []any
	for i, a := range args {
		var s string
		switch a := a.(type) {
		case Key:
			s = l.Text(a)
		case Message:
			s = a.In(l)
		case error:
			s = l.Error(a)
		default:
			continue
		}
		if own == nil {
			own = append(own, args...)
		}
		own[i] = s
	}
	if own == nil {
		return args
	}
	return own
}

// ordinary reports whether all arguments look the same in all languages, as strings
// and small numbers do. Formatting numbers for a language takes several times as long.
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
