// Package narrate describes in sentences what happens in a match. It covers shots and their results,
// moves, connections, endings, and why a shot cannot be fired. It also has the
// names of ships and rules, clocks and percentages. A new sentence about a match belongs here;
// what a player can do next, and how a sentence looks, belongs to the frontend that shows it.
//
// Callers must make player names safe to display before passing them in.
package narrate
