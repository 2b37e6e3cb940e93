// Package tournament plays tournaments that a file describes, round by round: round robin,
// gauntlet, Swiss or knockout, between built-in bots and programs. The games of a round are
// those of package arena; the pairings come from package pairing.
package tournament
