// Package match is the game of Battleship itself: coordinates, rule sets,
// layouts, what each side knows, and the state machine that turns commands
// into events.
//
// Everything in it is pure. There are no goroutines, clocks, files, sockets,
// logs or global randomness here: time is a value that callers stamp on
// events, randomness is a source that callers pass in. Whoever runs a match
// (package match/live) owns a [Game] and is its only user; nothing in this
// package may be used from two goroutines at once unless it says so.
//
// Three names carry the rest. [Rules] says what is legal. [Game] applies a
// [Command] and answers with the [Event] values that follow from it; the list
// of all events is the match. [View] is what one side, or a spectator, may see
// of a game, and the only way anyone else gets to see it.
package match
