// Package match implements the game of Battleship: coordinates, rule sets, layouts,
// charts, and the state machine that turns commands into events.
//
// The package is pure: it uses no goroutines, clocks, files, sockets, logs or global
// randomness. Callers pass in times and random sources. Package match/live runs matches and
// owns each [Game]. Nothing here is safe for concurrent use unless noted.
//
// The main types are [Rules], [Game] and [View]. Rules define what is legal. A Game applies a
// [Command] and returns the resulting [Event] values. The list of all events is a match's
// complete record. A View is everything that a side or a spectator may see of a game.
//
// Other programs may import this package. docs/library.md says which changes they can expect.
package match
