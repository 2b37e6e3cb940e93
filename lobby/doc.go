// Package lobby holds the online players, their offers to play, and the running matches.
//
// A [Lobby] is the only state that sessions share. A single lock guards it. The lock is
// never held while waiting, and the work done under it does not grow with the number of
// players. An online person is a [Member] of the lobby. A player who wants a match makes
// or accepts an [Offer] through [Offers], and gets a [Seat] in a match of [Matches]. The
// lobby publishes a [Snapshot] after every change. Spectators watch matches with
// [Matches.Watch], and one match is featured; see [Member.ShowFeatured].
//
// The packages below contain features that need no lock of the lobby: account (accounts,
// names, keys, settings, fleets, profiles), chat, daily (the Daily sea), bot (seats of built-in
// bots), code (codes that players type), ratingmode, tournament, ladder and review.
//
// Package match contains the game's rules, and package match/live runs each match.
// Package session connects players to the lobby.
package lobby
