// Package i18n returns what people read, in their language.
//
// The texts are in the folder locales, in one file for each language. A [Key]
// identifies a text:
//
//	l := i18n.FromEnviron(environ)
//	l.Text("your-turn")
//	l.Text("n-ships-left", n)
//
// Only constants are keys: a test of this package reads the whole program and fails
// if a language lacks a text, if a text is not used, and if the verbs of a text and
// the arguments of a call differ. A format without words, such as "%s: %s", is the
// same in every language and needs no key.
//
// A [Message] is a text with its arguments, whose language is chosen later. Errors
// that a player can cause are created by [Errorf], and [Language.Error] returns their
// text.
//
// docs/languages.md explains how to add a language.
package i18n
