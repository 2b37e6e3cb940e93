// Package infer computes what an opponent's answers reveal about the positions of the
// ships. Strategies in package bots use the results to choose shots.
//
// There are three methods, from the fastest to the most accurate:
//   - [Count] counts: it keeps every explanation of the hits so far and, for the
//     ships not hit yet, the number of places left to them.
//   - [Layouts] enumerates or samples whole layouts that agree with every answer,
//     each with the probability that a [Memory] of the opponent gives it.
//   - [Tracker] follows ships that move between shots.
//
// Results depend only on the rules, the answers, the memory and the random numbers passed
// in. Choosing shots, placing fleets and moving ships belong in package bots.
package infer
