// Package infer works out what the answers of an opponent reveal about where its
// ships are. Strategies in package bots decide where to shoot from that.
//
// There are three ways, from the fastest to the most accurate:
//   - [Count] counts: it keeps every explanation of the hits so far and, for the
//     ships not hit yet, the number of places left to them.
//   - [Layouts] enumerates or samples whole layouts that agree with every answer,
//     each with the probability that a [Memory] of the opponent gives it.
//   - [Tracker] follows ships that move between shots.
//
// Everything here depends only on the rules, the answers, the memory and the
// random numbers that are passed in. Which cell to shoot at, how to place a fleet
// and how to move it belong in package bots.
package infer
