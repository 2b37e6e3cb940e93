package i18n

import (
	"strings"
)

// Key is a text in English, which identifies it in all languages. Keys must be constants.
// "||" separates the singular from the plural, of which the first number among the arguments
// selects one. "##" precedes a context, which distinguishes texts that are equal in English
// only. Neither is shown.
type Key string

// Text returns the text of a key in this language, formatted with the arguments as in
// package fmt. Numbers are formatted for the language. Keys, messages and errors among
// the arguments are translated as well.
func (l Language) Text(key Key, args ...any) string {
	c := l.catalog()
	format := c.format(key, args)
	if len(args) == 0 {
		return format
	}
	args = l.translate(args)
	// In some plural forms, the number is a word.
	if !strings.Contains(format, "%") {
		return format
	}
	return c.printer().Sprintf(format, args...)
}

// translate returns args with translatable arguments replaced by their text. It does not
// modify args.
func (l Language) translate(args []any) []any {
	var own []any
	for i, a := range args {
		var s string
		switch a := a.(type) {
		case Key:
			s = l.Text(a)
		case Message:
			s = a.Text(l)
		case error:
			s = l.ErrorText(a)
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
