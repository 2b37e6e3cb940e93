// Package match implements the game of Battleship: coordinates, rule sets, layouts, what
// each side knows, and the state machine that turns commands into events.
//
// The package is pure: it uses no goroutines, clocks, files, sockets, logs or global
// randomness. Callers pass in times and random sources. Package match/live runs matches;
// it owns each [Game]. Nothing here is safe for concurrent use unless it says so.
//
// The main types are [Rules], which define what is legal; [Game], which applies a
// [Command] and returns the resulting [Event] values, so that the list of events is the
// match; and [View], which is all that a side or a spectator may see of a game.
package match
