// Package bots implements the built-in bots, with one file for each strategy, and a registry
// that creates them by name. It also implements the placements and movers of fleets, and the
// files that some bots read.
//
// A [Bot] knows the rules, the results of its shots and the opponent's shots. It uses no
// clock, network or match. Its caller asks it for a layout and for each turn's cells:
// package lobby on this server, package relay on other servers.
//
// Package infer computes what results reveal about layouts; strategies choose the shots.
package bots
