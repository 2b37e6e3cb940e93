// Package match implements the game of Battleship: coordinates, rule sets, layouts,
// charts, and the state machine that turns commands into events.
//
// The package is pure: it uses no goroutines, clocks, files, sockets, logs or global
// randomness. Callers pass in times and random sources. Package match/live runs matches;
// it owns each [Game]. Nothing here is safe for concurrent use unless noted.
//
// The main types are [Rules], which define what is legal; [Game], which applies a
// [Command] and returns the resulting [Event] values, whose list is the complete record
// of a match; and [View], which is everything that a side or a spectator may see of a
// game.
//
// Other programs may import this package: docs/library.md says which changes they can expect.
package match
