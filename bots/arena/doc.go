// Package arena lets bots and programs play many games and reports, with numbers,
// which is better.
//
// [Run] takes a [Config] and returns a [Report]. Built-in bots play in memory,
// on the same fleets and charts as everywhere else, which makes a hundred
// thousand games a second possible. Programs play over the line protocol, one
// process for each game at a time; a program that breaks the protocol loses that
// game, and nothing else is affected.
//
// Two games make a pair: the same two layouts and the same two players, with
// layouts and sides exchanged for the second game, so that a lucky layout
// helps both. Everything is drawn from the seed, the two names and the number
// of the pair. Games are therefore the same whatever the concurrency, and two
// tournaments with the same seed play on the same layouts.
//
// A bot that learns remembers its opponent within one pairing. The games of
// such a pairing are played in order, one at a time, while other pairings are
// played beside it.
//
// How a bot plays belongs in package bots, the rules in package match, and the
// statistics in package stats.
package arena
