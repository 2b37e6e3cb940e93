// Package term shows text on terminals and reads lines from them. Bubble Tea's renderer and its input
// reader would do this at a price; measured with 300 programs at 120×40 in one process (Bubble Tea
// 2.1.1), each takes:
//
//	                                      heap   and stacks   goroutines   6,000 keys   idle, all
//	with a Writer, without input        10 KiB       33 KiB            3       0.21 s      4 ms/s
//	Bubble Tea's renderer, 1 fps     1,086 KiB    1,116 KiB            3       1.23 s     10 ms/s
//	as shipped, 60 fps and input     1,239 KiB    1,279 KiB            5       3.43 s     95 ms/s
//
// Code that draws a screen assigns a [Style], such as Faint or Struck, to each piece of
// text, and uses any characters. A session's [Palette] maps them to a theme's colours, reduced to
// those that the terminal supports, and replaces characters that the terminal cannot show. So no
// screen depends on themes, and a player can change the theme at any time. [DetectTerminal] derives
// a terminal's capabilities from its type and environment. The terminal may report others when
// asked. See [Terminal.QuerySequences].
//
// A [Writer] shows the views of a Bubble Tea program on a terminal. It keeps the lines
// that it has sent and writes only changes, immediately.
//
// A [Console] is for sessions in line mode: it turns input into lines, and writes text.
// On a terminal it echoes typed text, lets the player edit the line and shows a prompt.
// It sends no control sequences, so it suits the simplest terminals and screen readers.
package term
