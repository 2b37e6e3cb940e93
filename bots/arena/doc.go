// Package arena plays many games between bots and programs, and measures which is
// stronger.
//
// [Run] takes a [Config] and returns a [Report]. Built-in bots play in memory with the types
// of package match, tens of thousands of games per second. Programs play over the line
// protocol, with one process per concurrent game. A program that breaks the protocol loses
// that game.
//
// A unit is two games of the same players with the same layouts. Sides and layouts are swapped in
// the second game, so that a lucky layout helps both. All random choices depend only on the
// seed, the two names and the numbers of the round and the unit. Games are therefore the same
// whatever the concurrency, and tournaments with the same seed use the same layouts.
//
// A tournament is played round by round. Package pairing decides who plays whom. All pairings of
// a round advance together.
//
// A bot that learns remembers its opponent within a pairing. The games of such a pairing are
// played in order, one at a time, while other pairings run concurrently.
//
// Strategies are in package bots, the rules in package match, and the statistics in package
// stats.
package arena
