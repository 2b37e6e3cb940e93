// Package i18n says what people read, in their language.
//
// A [Text] is an English sentence or format, as it stands in the code, and the
// key under which the other languages have it:
//
//	l := words.OfSession(environ)
//	l.Say("Your turn.")
//	l.Say("%d ships left", n)
//
// Only constants are texts: a test of this package reads the whole program and
// fails when one has no German, when German is left that nobody uses, and when
// the verbs of the two differ. What may be said later, or in more than one
// language, is a [Message]; an error that a person can cause is one that
// [Errorf] made, and [Language.Error] says it.
//
// A text in which a number decides between singular and plural has an entry in
// plural.go for each language. Two meanings of one English word are kept apart
// by what follows a ¦ in the key, which nobody sees: "Watch ¦ heading".
//
// How to add a language is told in docs/languages.md.
package i18n
