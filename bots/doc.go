// Package bots holds the players made of code: one file a strategy, and the
// registry that makes them by name.
//
// A [Bot] knows the rules and what it has been told, and nothing else: no
// clock, no network, no match. Who lets a bot play (package lobby on this
// server, package relay on others) asks it for a layout and then for a cell
// each turn.
package bots
