// Package term shows text on terminals and reads lines from them.
//
// Code that draws a screen names a [Style] for each piece of text, such as Faint or
// Struck, and uses any characters. A session's [Palette] decides how they appear: it
// has the colors of a theme, in as many colors as the terminal has, and replaces
// characters that the terminal cannot show. So no screen depends on themes, and a
// player can change theirs at any time. What a terminal can do is read from its type
// and environment, see [ReadTerminal]; the terminal is never asked.
//
// A [Writer] brings the views of a Bubble Tea program to a terminal. It keeps the lines
// that it has sent and writes only what has changed, at once. Bubble Tea's renderer
// keeps two buffers of cells and a ticker for each program instead.
//
// A [Console] is for sessions in line mode: it turns input into lines, and writes
// sentences. On a terminal it echoes what is typed, lets the player edit the line and
// shows a prompt. It sends no control sequences, so it suits the simplest terminals
// and screen readers.
package term
