// Package ladder pairs registered programs day and night for rated matches, and ranks them.
//
// [Pair] decides which matches begin. A [Ladder] calls it again and again, counts the
// results, and rates all players from all results once a day. Only the matches are stored:
// the counts are read from the store when the ladder opens.
package ladder
