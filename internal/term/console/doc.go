// Package console is the plumbing of sessions held in lines: bytes that
// somebody types become lines, and what is said to them becomes bytes.
//
// A [Console] is a terminal of the simplest kind, or none at all. Where there is
// a terminal it echoes what is typed, lets the line be edited, shows a prompt,
// and writes the typed text anew after something else was said. It sends no
// control sequence, so a terminal that knows none, and a program that reads the
// screen aloud, have all there is.
//
// What the lines mean is not known here.
package console
