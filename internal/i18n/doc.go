// Package i18n returns what people read, in their language.
//
// The texts stand in the code, in English. The folder locales has a gettext file with
// their translations for each other language:
//
//	l := i18n.ParseEnviron(environ)
//	l.Text("Your turn.")
//	l.Text("%d ship left||%d ships left", n)
//	l.Text("Keys##keyboard") // not those of SSH
//
// Only constants are keys: a test of this package reads the whole program and fails
// if a language lacks a text, if a translation is not used, and if the verbs of a text and
// the arguments of a call differ. A format without words, such as "%s: %s", needs no
// translation.
//
// A [Message] is a text with its arguments, whose language is chosen later. Errors
// that a player can cause are created by [Errorf], and [Language.ErrorText] returns their
// text.
//
// docs/languages.md explains how to add a language.
package i18n
