// Package term shows text on terminals and reads lines from them.
//
// Code that draws a screen assigns a [Style], such as Faint or Struck, to each piece of
// text, and uses any characters. A session's [Palette] defines their appearance: it has
// the colours of a theme, in as many colours as the terminal supports, and replaces
// characters that the terminal cannot show. So no screen depends on themes, and a player
// can change the theme at any time. A terminal's capabilities are derived from its type
// and environment; see [ReadTerminal]. It may answer a query for the rest; see [Terminal.Query].
//
// A [Writer] shows the views of a Bubble Tea program on a terminal. It keeps the lines
// that it has sent and writes only changes, immediately. Bubble Tea's renderer instead
// keeps two buffers of cells and a ticker for each program.
//
// A [Console] is for sessions in line mode: it turns input into lines, and writes text.
// On a terminal it echoes typed text, lets the player edit the line and shows a prompt.
// It sends no control sequences, so it suits the simplest terminals and screen readers.
package term
