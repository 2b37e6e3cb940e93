// Package frame brings the views of a Bubble Tea program to a terminal, by
// writing what has changed since the last one and no more.
//
// It stands in for Bubble Tea's own renderer, which keeps two buffers of cells
// and a ticker for each program: a [Writer] keeps the lines that it has sent
// and writes at once. It knows nothing of the game, of sessions or of how the
// bytes get to the terminal.
package frame
