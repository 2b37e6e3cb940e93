// Package rating holds the arithmetic of ratings: Glicko-2, by Mark Glickman
// ("Example of the Glicko-2 system", http://www.glicko.net/glicko/glicko2.pdf).
//
// A [Rating] is a value, the deviation that says how sure the value is, and a
// volatility that says how erratic its owner plays. [Period] rates the results
// of a rating period as the paper does. [Game] is what a server calls after
// each match: it takes every match for a rating period of its own, and the time
// since a player's last match for the fraction of [PeriodLength] in which the
// deviation grew.
//
// Built-in bots have ratings that never change, from the games that they have
// played each other: see [OfBot].
//
// Everything here is pure. What is rated, and where ratings are kept, is the
// business of packages lobby and lobby/store.
package rating
