// Package look is how everything looks: the colours and attributes of a theme,
// and the characters that a terminal can show.
//
// Who draws a screen names an [Ink] for each piece of text, such as Faint or
// Struck, and draws with whatever characters it likes. What an ink is, and how
// a character is shown, is decided at the end, for the whole screen, by the
// [Look] of a session: see [Look.Paint]. So no screen knows of themes, and a
// person can change theirs at any moment.
//
// What a terminal can do is read from its type and environment, see [Read]; it
// is never asked.
package look
