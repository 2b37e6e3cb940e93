package i18n

import (
	"strings"
)

// Key is a text in English, which identifies it in all languages. Keys must be constants. "||" separates the
// singular from the plural. The first number among the arguments selects one of them. "##" precedes a context,
// which distinguishes texts that are equal only in English. Neither is shown.
type Key string

// Text returns a key's text in this language, formatted with the arguments as in package fmt. Numbers are
// formatted for the language. Keys, messages and errors among the arguments are translated as well.
func (l Language) Text(key Key, args ...any) string {
	c := l.catalog()
	format := c.lookUpText(key, args)
	if len(args) == 0 {
		return format
	}
	args = l.translateArguments(args)
	// In some plural forms, the number is a word.
	if !strings.Contains(format, "%") {
		return format
	}
	return c.printer().Sprintf(format, args...)
}

// translateArguments returns args with their translatable values replaced by texts. It does not modify args.
func (l Language) translateArguments(args []any) []any {
	var translated []any
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
		if translated == nil {
			translated = append(translated, args...)
		}
		translated[i] = s
	}
	if translated == nil {
		return args
	}
	return translated
}
