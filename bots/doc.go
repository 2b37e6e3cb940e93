// Package bots has the built-in bots: one file for each strategy, and the registry
// that makes them by name. It also has the ways in which bots place and move their
// fleets, and the files that some of them read.
//
// A [Bot] knows the rules, the answers to its shots and the shots at it; it has no
// clock, network or match. Its user asks it for a layout, and for a cell in each
// turn: package lobby on this server, package relay on other servers.
//
// What answers reveal about layouts is computed in package infer; a strategy decides
// what to do with it.
package bots
