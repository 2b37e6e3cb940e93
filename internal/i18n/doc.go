// Package i18n returns texts for people in their language.
//
// The texts stand in the code, in English. For each other language, the folder locales has a gettext file with
// their translations:
//
//	l := i18n.ParseEnviron(environ)
//	l.Text("Your turn.")
//	l.Text("%d ship left||%d ships left", n)
//	l.Text("Keys##keyboard") // not SSH keys
//
// Only constants are keys. A test of this package reads the whole program. It fails if a language lacks a text,
// if a translation is not used, or if the format verbs of a text differ from its calls' arguments. A
// format without words, such as "%s: %s", needs no translation.
//
// A [Message] is a text with its arguments, whose language is chosen later. [Errorf] creates errors that a
// player can cause, and [Language.ErrorText] returns their text.
//
// docs/languages.md explains how to add a language.
package i18n
