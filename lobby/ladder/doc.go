// Package ladder pairs registered programs day and night for rated matches, and ranks them.
//
// A [Ladder] pairs the programs that wait in its lobby. Who has met whom lately, and with which
// sides, is kept in memory and belongs to this lobby alone: after a restart, second matches of a
// pair that are still due are forgotten. The rankings come from the database, whose ratings and
// matches are those of all worlds.
package ladder
