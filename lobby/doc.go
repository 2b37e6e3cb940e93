// Package lobby holds the players who are online, their offers to play, and the running
// matches.
//
// A [Lobby] is the only state that sessions share. One lock guards it, which is never
// held while waiting, and the work under it does not grow with the number of players. A
// person who is online is a [Member] of the lobby. A player who wants a match makes an
// [Offer] with [Offers], or accepts one, and gets a [Seat] in a match of [Matches]. The
// lobby publishes a [Snapshot] whenever something has changed. Spectators watch matches,
// see [Matches.Watch]; one match is featured, see [Member.ShowFeatured].
//
// Packages below have the features that need no more than a player: account (accounts,
// names, keys, settings, saved fleets), chat, daily (the daily puzzle), bot (seats that
// built-in bots play), code (codes that people type) and stakes.
//
// The rules of the game are in package match, and package match/live runs each match.
// How players are reached is not known here; see package session.
package lobby
