// Package infer computes what an opponent's results and earlier games reveal about its fleet.
// Strategies in package bots use the results to choose shots.
//
//   - [Layouts] weighs the layouts that agree with every result by the probability that a
//     [Memory] of the opponent gives them.
//   - [Tracker] follows ships that move between shots.
//
// Results depend only on the rules, the results, the memory and the random numbers passed
// in. Which layouts agree with the results is computed by package layouts. Choosing shots,
// placing fleets and moving ships belong in package bots.
package infer
