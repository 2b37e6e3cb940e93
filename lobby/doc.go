// Package lobby knows who is here, who wants to play, and who plays whom.
//
// A [Lobby] is the only state that sessions and connections share, and it is
// small: it pairs players, starts their match, and forgets the match when it
// ends. Whoever comes in by the front door has a [Member]; whoever wants to
// play gets a [Offer] or, with an opponent found, a [Seat]: a seat in a
// running match and a place at the table where a rematch is agreed on. A offer
// that waits is an offer: to anybody, to one person (a challenge), or to whoever
// knows the code of a room.
//
// Running matches can be watched, see [Lobby.Watch]. One is featured for those
// who look at the lobby; while nobody plays, two bots do, and while nobody looks,
// nothing is done for it at all.
//
// Once a day there is one hidden fleet for everybody to shoot at, see
// [Lobby.OpenDaily]: nobody answers and nobody shoots back, so it is no match.
//
// It does not know how a player is reached (packages tui and relay), nor the
// rules (package match), nor how a match is run (package match/live). Built-in
// bots play from here, each in a goroutine of its own.
package lobby
