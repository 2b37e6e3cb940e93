// Package check finds out what a client of the line protocol does right and
// wrong. It is a relay and the opponent at once, plays the client through one
// situation after another, each a game on a connection of its own unless the
// client has asked for a series, and reports what it has seen.
//
// What a client has to do is told apart from what it had better do. A fault of
// the first kind fails a situation, one of the second is a warning.
package check
