// Package arena lets bots play many games and says, with numbers, which is
// better.
//
// [Run] takes a [Config] and returns a [Report]. Built-in bots play in memory,
// on the same fleets and charts as everywhere else, which is why a hundred
// thousand games a second are possible; programs play over a relay of the
// arena's own, one process for each game at a time, and what they do wrong
// costs them that game and nobody anything else.
//
// Two games make a pair: the same two layouts and the same two players, with
// layouts and sides exchanged for the second game, so that a lucky layout
// helps both. Everything is drawn from the seed, the two names and the number
// of the pair. Games are therefore the same whatever the concurrency, and two
// tournaments with the same seed play on the same layouts.
//
// A bot that learns remembers its opponent within one pairing. The games of
// such a pairing are played in their order, one at a time; other pairings go
// on beside it.
//
// What does not live here: how a bot plays (package bots) and the rules
// (package match).
package arena
