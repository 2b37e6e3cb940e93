// Package rating implements Glicko-2 ratings as described by Mark Glickman ("Example of
// the Glicko-2 system", http://www.glicko.net/glicko/glicko2.pdf).
//
// A [Rating] consists of a value, a deviation, which says how certain the value is, and a
// volatility, which says how much the player's results vary. [RateMatch] treats every match as a
// rating period. The deviation grows with the time since a player's last match, as a fraction of
// [PeriodLength].
//
// Built-in bots have fixed ratings, which come from matches between them: see [BotRating].
//
// The package is pure. Package lobby decides which matches are rated, and package store
// keeps the ratings.
package rating
